// cmd/assets resolves this import to the script that Go ships for its WebAssembly modules. It defines globalThis.Go.
declare module "go:wasm_exec";
