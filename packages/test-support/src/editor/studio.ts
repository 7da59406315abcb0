import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeWavHeader } from '@parlando/core/audio'
import type { Browser, Locator, Page } from 'playwright-core'
import { speak } from '../audio/speak.ts'
import { startBrowserWithMicrophone } from './browser.ts'

const sampleRateHertz = 16_000

declare const RED: { sidebar: { show(tab: string): void } }

let recording: Promise<Buffer> | undefined

/** Ten seconds of speech after half a second of silence, as a WAV file. */
export function studioRecording(): Promise<Buffer> {
  recording ??= makeRecording()
  return recording
}

async function makeRecording(): Promise<Buffer> {
  const pcm = await speak(
    'The north wind and the sun were arguing which of them was stronger, when a traveller arrived in a warm coat. They agreed that the one who first made him take it off was the stronger.',
  )
  const silence = Buffer.alloc(sampleRateHertz)
  const header = writeWavHeader({ sampleRateHertz, dataBytes: silence.length + pcm.length })
  return Buffer.concat([header, silence, pcm])
}

/** Starts a browser whose microphone hears that speech. */
export async function startBrowserForStudio(): Promise<Browser> {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-studio-'))
  const file = join(folder, 'speech.wav')
  writeFileSync(file, await studioRecording())
  const browser = await startBrowserWithMicrophone(file)
  browser.on('disconnected', () => rmSync(folder, { recursive: true, force: true }))
  return browser
}

/** Shows the voice studio in the sidebar. @returns the studio. */
export async function openStudio(page: Page): Promise<Locator> {
  await page.evaluate(() => RED.sidebar.show('parlando-studio'))
  const studio = page.locator('.parlando-studio')
  await studio.getByText('Spoken lately').waitFor()
  return studio
}
