// npm run measure-voices: measures the built-in voices. Writes base-voices.json, the voices that clones and the voices of the
// library begin with, and measured-voices.json, all others. Prints `addedDecibels` for library.json.
import { writeFile } from 'node:fs/promises'
import {
  foreignSentences,
  moreSentences,
  sentences,
} from '../../../test/intelligibility/sentences.ts'
import { integratedLoudness } from '../src/audio/integrated-loudness.ts'
import { speechLevel } from '../src/audio/loudness.ts'
import { createResampler } from '../src/audio/resampler.ts'
import { joinSamples } from '../src/audio/signal.ts'
import type { Engine, EngineVoice } from '../src/engines/engine.ts'
import { flite } from '../src/engines/flite/flite-engine.ts'
import { hibari } from '../src/engines/hibari/hibari-engine.ts'
import { pico } from '../src/engines/pico/pico-engine.ts'
import { type BaseVoice, measuredPitchFactors } from '../src/voices/base-voices.ts'
import { createImprint } from '../src/voices/imprint/imprint.ts'
import { imprintSettings, plainSettings } from '../src/voices/imprint/imprint-settings.ts'
import { measureVoice, measuringRateHertz } from '../src/voices/imprint/measure-voice.ts'
import { powerSpectrum } from '../src/voices/imprint/power-spectrum.ts'
import { library } from '../src/voices/library.ts'
import type { MeasuredVoice } from '../src/voices/voice-sound.ts'
import { profilePhrases } from './profile-phrases.ts'

const standardRateHertz = 48_000
const diphoneVoices = ['kal16']
const naturalEngines = ['hibari']

const english = [...sentences, ...moreSentences]

const bases: BaseVoice[] = []
const others: Record<string, MeasuredVoice> = {}
for (const { start } of [flite, hibari, pico]) {
  const engine = (await start({ options: {}, warn: console.warn }))!
  for (const voice of engine.voices) {
    const speech = await speak(
      engine,
      voice,
      foreignSentences[voice.voice?.voiceId ?? ''] ?? english,
    )
    const lufs = await loudnessOf(speech, engine.sampleRateHertz)
    console.log(`${engine.name} ${voice.name}: ${lufs} LUFS`)
    if (engine.name !== pico.name) bases.push(await measureBase(engine, voice, lufs))
    else others[`${engine.name}/${voice.name}`] = await measureOther(engine, speech, lufs)
  }
  await engine.close()
}
await write('base-voices.json', bases)
await write('measured-voices.json', others)

async function write(name: string, content: object): Promise<void> {
  const file = new URL(`../src/voices/${name}`, import.meta.url)
  await writeFile(file, `${JSON.stringify(content, undefined, 2)}\n`)
}

async function speak(
  engine: Engine,
  { name }: EngineVoice,
  texts: readonly string[],
): Promise<Float32Array> {
  const pieces: Float32Array[] = []
  for (const text of texts) {
    await engine.speakPhrase({
      voice: name,
      text,
      modelId: 'svc-tts-2',
      withWords: false,
      signal: new AbortController().signal,
      onSound: ({ samples }) => pieces.push(samples),
    })
  }
  return joinSamples(pieces)
}

async function measureOther(
  engine: Engine,
  speech: Float32Array,
  lufs: number,
): Promise<MeasuredVoice> {
  const measured = measureVoice(await resample(speech, engine.sampleRateHertz, measuringRateHertz))!
  const { medianHertz } = measured.pitch
  return { lufs, medianHertz }
}

async function measureBase(
  engine: Engine,
  engineVoice: EngineVoice,
  loudnessLufs: number,
): Promise<BaseVoice> {
  const spoken = await speak(engine, engineVoice, profilePhrases)
  const speech = await resample(spoken, engine.sampleRateHertz, measuringRateHertz)
  const profile = measureVoice(speech)
  if (!profile) throw new Error(`${engine.name} ${engineVoice.name} has no pitch`)
  const isPliable = !diphoneVoices.includes(engineVoice.name)
  const voice = {
    engine: engine.name,
    engineVoice: engineVoice.name,
    sampleRateHertz: engine.sampleRateHertz,
    isNatural: naturalEngines.includes(engine.name),
    isPliable,
    profile,
    loudnessLufs,
  }
  const base = { ...voice, loudnessByPitch: [] }
  const measured = { ...base, spectrumDecibels: powerSpectrum(speech) }
  const loudnessByPitch = measuredPitchFactors.map((factor) => loudnessAt(factor, measured, speech))
  await printAddedDecibels({ ...measured, loudnessByPitch }, speech)
  return { ...measured, loudnessByPitch }
}

async function resample(
  speech: Float32Array,
  inputRateHertz: number,
  outputRateHertz: number,
): Promise<Float32Array> {
  if (inputRateHertz === outputRateHertz) return speech
  const resampler = await createResampler({ inputRateHertz, outputRateHertz })
  const resampled = joinSamples([resampler.push(speech).slice(), resampler.end()])
  resampler.close()
  return resampled
}

/** At the rate for which the standard states its filters. */
async function loudnessOf(speech: Float32Array, sampleRateHertz: number): Promise<number> {
  const samples = await resample(speech, sampleRateHertz, standardRateHertz)
  return Number(integratedLoudness(samples, standardRateHertz).toFixed(2))
}

async function printAddedDecibels(base: BaseVoice, speech: Float32Array): Promise<void> {
  const plain = await loudnessOf(speech, measuringRateHertz)
  for (const { voice, engineVoice, imprint } of library) {
    if (!imprint || engineVoice !== base.engineVoice) continue
    const shaped = createImprint(imprintSettings(base, imprint), measuringRateHertz)
    const sound = joinSamples([shaped.push(speech), shaped.end()])
    const loudness = await loudnessOf(sound, measuringRateHertz)
    console.log(`${voice.voiceId}: ${(loudness - plain).toFixed(2)}`)
  }
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
