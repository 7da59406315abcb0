import { readFileSync } from 'node:fs'

/**
 * Six seconds that the MediaRecorder of Chromium 156 recorded in pieces of 250 ms: WebM with Opus in stereo, without a
 * duration. The voice Clara says: "Good morning everyone. The coffee is ready and the door is open."
 */
export const browserRecording = readFileSync(new URL('browser-recording.webm', import.meta.url))
