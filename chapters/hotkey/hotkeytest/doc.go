// Package hotkeytest checks that a detector of hot keys keeps its promises. It is the suite that this project's own detectors pass, and it takes
// anybody's: whatever counts keys and lists the highest can be tested, in a few lines and well under a second.
//
// # How to check your own detector
//
// 1. Give it the two methods of Detector. One that samples must be told to count every request.
//
// 2. Choose the claims. Always is what every detector can promise; NeverUnder and NeverOver say on which side its numbers err.
//
//	func TestMine(t *testing.T) {
//		hotkeytest.Run(t, hotkeytest.Target{
//			New:    func() hotkeytest.Detector { return newMine() },
//			Claims: hotkeytest.Always | hotkeytest.NeverUnder,
//		})
//	}
//
// # What a failure says
//
// Each claim is a subtest of its own, tried on several streams. A failure names the seed of the stream, the key, and both numbers:
//
//	never-under: seed 0: key 3 was asked for 812 times, and is listed with 640
//
// # What it does not show
//
// A pass is no proof, and says nothing of memory or speed. Streams are of 20,000 requests for up to 2000 keys, by Zipf's law. Nothing is called from
// several goroutines.
package hotkeytest
