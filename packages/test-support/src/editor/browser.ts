import { type Browser, chromium } from 'playwright-core'
import { describe } from 'vitest'
import { findProgram, needs } from '../programs/installed-programs.ts'

/** `describe`, for tests that need a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe(name, needs('chromium'), tests)
}

/** Without windows of its own, a browser takes three quarters of the processor time. */
const executablePath = findProgram('chromium-headless-shell') ?? findProgram('chromium')

/** Starts Chromium without sound and microphone. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--mute-audio'],
  })
}

/** Starts Chromium without sound. @param file the WAV file that its microphone hears, once. */
export function startBrowserWithMicrophone(file: string): Promise<Browser> {
  return chromium.launch({
    executablePath: findProgram('chromium'),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--mute-audio',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-audio-capture=${file}%noloop`,
      // A host name of another machine in the network.
      '--host-resolver-rules=MAP kitchen.test 127.0.0.1',
    ],
  })
}
