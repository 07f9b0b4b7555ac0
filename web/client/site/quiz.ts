// Questions work by themselves: a choice shows its explanation through the stylesheet. This remembers the choice, and reads the
// explanation out, since a text that appears is not announced.

import { load, record, save } from "./storage.js";

export const answersKey = "answers";

export function quiz(): void {
  const chapter = document.querySelector<HTMLElement>("article[data-chapter]")?.dataset["chapter"];
  const questions = document.querySelectorAll<HTMLFieldSetElement>("fieldset.quiz");
  if (!chapter || questions.length === 0) return;
  const answers = record(load(answersKey), "string");
  const said = announcer();
  for (const question of questions) {
    const name = `${chapter}/${question.id}`;
    const chosen = answers[name];
    for (const input of question.querySelectorAll<HTMLInputElement>("input[type=radio]")) {
      if (input.value === chosen) input.checked = true;
      input.addEventListener("change", () => {
        const all = record(load(answersKey), "string"); // another tab may have answered meanwhile
        all[name] = input.value;
        save(answersKey, all);
        said.textContent = document.getElementById(input.getAttribute("aria-describedby") ?? "")?.textContent ?? "";
      });
    }
  }
}

/** A place whose text is read out when it changes. */
function announcer(): HTMLElement {
  const said = document.createElement("p");
  said.className = "announced";
  said.setAttribute("role", "status");
  document.body.append(said);
  return said;
}
