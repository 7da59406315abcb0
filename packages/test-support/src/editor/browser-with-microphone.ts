import { type Browser, chromium } from 'playwright-core'
import { findProgram } from '../programs/installed-programs.ts'

/** Starts Chromium without sound. @param file the WAV file that its microphone hears, once. */
export function launchBrowserWithMicrophone(file: string): Promise<Browser> {
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
