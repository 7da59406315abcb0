// npm run measure-voices: measures every voice of every engine and writes base-voices.json. Prints `addedDecibels` for
// library.ts.
import { writeFile } from 'node:fs/promises'
import { integratedLoudness, meterRateHertz } from '@parlando/test-support/audio/measure-loudness'
import { speechLevel } from '../src/audio/loudness.ts'
import { createResampler } from '../src/audio/resampler.ts'
import { joinSamples } from '../src/audio/signal.ts'
import type { Engine } from '../src/engines/engine.ts'
import { engineDefinitions } from '../src/engines/engine-registry.ts'
import { type BaseVoice, measuredPitchFactors } from '../src/voices/base-voices.ts'
import { createImprint } from '../src/voices/imprint/imprint.ts'
import { imprintSettings, plainSettings } from '../src/voices/imprint/imprint-settings.ts'
import { measureVoice, measuringRateHertz } from '../src/voices/imprint/measure-voice.ts'
import { powerSpectrum } from '../src/voices/imprint/power-spectrum.ts'
import { library } from '../src/voices/library.ts'

const diphoneVoices = ['kal16']

// Phrases like those that the service passes to an engine, phonetically rich. No test uses any of them.
const phrases = [
  'The kettle has boiled.',
  'Good evening, and welcome back.',
  'There is a parcel for you in the hall.',
  'Rain is expected early this afternoon,',
  'with heavy showers over the northern hills.',
  'Nobody has fed the cat since yesterday.',
  'The heating is off and all windows are shut.',
  'Your bus goes in six minutes.',
  'Would you like some jazz while you cook?',
  'The bathroom fan is still running.',
  'Bright blue boats were rowing across the harbour,',
  'while a few gulls cried over the old bridge.',
  'It is half past eight, time for school.',
  'Judge George chose a large yellow orange.',
  'Somebody rang the bell twice at noon.',
  'Thank you, that was very kind of you.',
  'The power will be back within the hour.',
  'Which of these shoes should I wash?',
  'All of the doors upstairs are locked,',
  'and the alarm was set at eleven.',
  'The dryer needs another forty minutes before the shirts are ready.',
  'A guest is standing at the back door and would like to come in.',
  'This evening will be cloudy, with a little snow in the mountains.',
  'Your flight to Boston was moved to gate number seventeen.',
  'It is nineteen degrees in the bedroom and sixteen in the cellar.',
  'Please take the blue bin to the street before you go to work.',
  'Breakfast is on the table and the coffee is getting cold.',
  'I did not find a station that plays what you asked for.',
]

const measured: BaseVoice[] = []
for (const { start } of engineDefinitions) {
  const engine = await start({ options: {}, warn: console.warn })
  if (!engine) continue
  for (const { name } of engine.voices) measured.push(await measure(engine, name))
  await engine.close()
}
const file = new URL('../src/voices/base-voices.json', import.meta.url)
await writeFile(file, `${JSON.stringify(measured, undefined, 2)}\n`)

async function measure(engine: Engine, engineVoice: string): Promise<BaseVoice> {
  const samples: number[] = []
  for (const text of phrases) {
    await engine.speakPhrase({
      voice: engineVoice,
      text,
      modelId: 'svc-tts-2',
      withWords: false,
      signal: new AbortController().signal,
      onSound: (sound) => samples.push(...sound.samples),
    })
  }
  const speech = new Float32Array(samples)
  const profile = measureVoice(speech)
  if (!profile) throw new Error(`${engine.name} ${engineVoice} has no pitch`)
  const isPliable = !diphoneVoices.includes(engineVoice)
  const loudnessLufs = await loudnessOf(speech)
  const voice = { engine: engine.name, engineVoice, isPliable, profile, loudnessLufs }
  const base = { ...voice, loudnessByPitch: [] }
  const measured = { ...base, spectrumDecibels: powerSpectrum(speech) }
  const loudnessByPitch = measuredPitchFactors.map((factor) => loudnessAt(factor, measured, speech))
  await printAddedDecibels({ ...measured, loudnessByPitch }, speech)
  return { ...measured, loudnessByPitch }
}

async function printAddedDecibels(base: BaseVoice, speech: Float32Array): Promise<void> {
  for (const { voice, engineVoice, imprint } of library) {
    if (!imprint || engineVoice !== base.engineVoice) continue
    const shaped = createImprint(imprintSettings(base, imprint), measuringRateHertz)
    const loudness = await loudnessOf(joinSamples([shaped.push(speech), shaped.end()]))
    console.log(`${voice.voiceId}: ${(loudness - base.loudnessLufs).toFixed(2)}`)
  }
}

async function loudnessOf(speech: Float32Array): Promise<number> {
  const resampler = await createResampler({
    inputRateHertz: measuringRateHertz,
    outputRateHertz: meterRateHertz,
  })
  const samples = joinSamples([resampler.push(speech).slice(), resampler.end()])
  resampler.close()
  return Number(integratedLoudness(samples).toFixed(2))
}

function loudnessAt(factor: number, base: BaseVoice, speech: Float32Array): number {
  const settings = plainSettings(base)
  const imprint = createImprint(
    { ...settings, toHertz: settings.fromHertz * factor },
    measuringRateHertz,
  )
  const moved = joinSamples([imprint.push(speech), imprint.end()])
  const ratio = speechLevel(moved, measuringRateHertz) / base.profile.level
  return Number((20 * Math.log10(ratio)).toFixed(1))
}
