import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readRecordingFormat, writeWavHeader } from '@parlando/core/audio'
import { decodeRecording } from '../../audio/decoding/decode-recording.ts'
import { toPcmBytes } from '../../audio/pcm.ts'
import { formatBytes } from '../../machine/resources.ts'
import { ModelError } from '../../models/catalogue/model-error.ts'
import { isHibariFolder } from '../../models/hibari/hibari-models.ts'
import { findInstalled, installFolderOf } from '../../models/install/install-record.ts'
import { findSherpa } from '../../models/sherpa/find-sherpa.ts'
import { recogniserRateHertz } from '../../recognisers/recogniser.ts'
import { openRecogniserModel, openVoices } from '../open-model.ts'
import { type Run, rejectOtherKinds } from './command.ts'

const defaultText = 'Good morning. It is seven o’clock, and the coffee is ready.'
/** Above it, speech may stutter when the machine has other work. */
const maxFactor = 0.6

/** Speaks or transcribes once and prints how fast the model is. */
export async function testModel(run: Run): Promise<void> {
  const { command, terminal, signal } = run
  const { kind, names, input, dataFolder, enginesFolder, out, isJson } = command
  if (kind === 'wake-word')
    throw new Error('A wake word model has no test. Choose it in a microphone')
  await rejectOtherKinds(run)
  const { packagePath, problem } = findSherpa([enginesFolder, dataFolder])
  const { folder: model } = await findInstalled(installFolderOf(dataFolder), names[0]!)
  if (!packagePath && !isHibariFolder(basename(model))) {
    throw new Error(`The model cannot be tested: ${problem}`)
  }
  let result: ModelTest
  if (kind === 'voice') {
    result = await testVoice({ model, packagePath, text: input ?? defaultText, signal })
    if (out) await writeFile(out, result.wav!)
  } else {
    if (!input) throw new Error('test needs a recording of at most a minute, such as hello.wav')
    const recording = await readFile(input)
    result = await testRecogniser({ model, packagePath: packagePath!, recording, signal })
  }
  const { wav: _, ...figures } = result
  terminal.print(isJson ? JSON.stringify(figures, null, 1) : describe(figures))
}

function describe({
  names,
  firstAudioMs,
  realTimeFactor,
  memoryBytes,
  transcript,
}: ModelTest): string {
  const isFast = realTimeFactor <= maxFactor
  const lines = [
    `Names in the service: ${names.join(', ')}`,
    transcript !== undefined && `Text: ${transcript || '(none)'}`,
    firstAudioMs !== undefined && `First sound after ${firstAudioMs} ms`,
    memoryBytes !== undefined && `Memory: ${formatBytes(memoryBytes)}`,
    `One second of sound takes ${realTimeFactor.toFixed(2)} s: ${isFast ? 'fast enough for this machine' : 'too slow for this machine. Use a smaller model'}`,
  ]
  return lines.filter((line) => line !== false).join('\n')
}

/** How a model performs on this machine. */
interface ModelTest {
  /** The voices or the model, as callers of the service name them. */
  names: readonly string[]
  firstAudioMs?: number
  /** The time that it takes for a second of sound, in seconds. */
  realTimeFactor: number
  memoryBytes?: number
  /** The speech of a voice. */
  wav?: Uint8Array
  /** The text of a recogniser. */
  transcript?: string
}

interface VoiceTestRequest {
  /** The folder of the model. */
  model: string
  packagePath: string | undefined
  text: string
  signal: AbortSignal
}

/** Speaks a text with the first voice of a model. */
async function testVoice(request: VoiceTestRequest): Promise<ModelTest> {
  const { model, packagePath, text, signal } = request
  return onlyModel(model, async (folder) => {
    const { engine, voices } = await openVoices(folder, packagePath)
    try {
      const voice = voices[0]!.name
      const speak = (spoken: string, onSamples: (samples: Float32Array) => void) =>
        engine.speakPhrase({
          voice,
          text: spoken,
          modelId: 'svc-tts-2',
          withWords: false,
          signal,
          onSound: ({ samples }) => onSamples(samples),
        })
      // Starts the process and loads the model.
      await speak(text, () => {})
      const pieces: Uint8Array[] = []
      const startMs = performance.now()
      let firstAudioMs: number | undefined
      await speak(text, (samples) => {
        if (samples.length > 0) firstAudioMs ??= Math.round(performance.now() - startMs)
        pieces.push(toPcmBytes(samples))
      })
      const seconds = (performance.now() - startMs) / 1000
      const pcm = Buffer.concat(pieces)
      const { sampleRateHertz } = engine
      const header = writeWavHeader({ sampleRateHertz, dataBytes: pcm.length })
      return {
        names: voices.map(({ name, voice }) => voice?.voiceId ?? name),
        firstAudioMs,
        realTimeFactor: seconds / Math.max(pcm.length / 2 / sampleRateHertz, 0.01),
        memoryBytes: engine.models?.[0]?.memoryBytes,
        wav: Buffer.concat([header, pcm]),
      }
    } finally {
      await engine.close()
    }
  })
}

interface RecogniserTestRequest {
  /** The folder of the model. */
  model: string
  packagePath: string
  /** A file of at most a minute. */
  recording: Uint8Array
  signal: AbortSignal
}

/** Transcribes a recording. */
async function testRecogniser(request: RecogniserTestRequest): Promise<ModelTest> {
  const { model, packagePath, recording, signal } = request
  const format = readRecordingFormat(recording)
  if (!format) {
    throw new ModelError('DAMAGED', 'The recording is neither WAV, MP3, Ogg Opus, WebM nor FLAC')
  }
  return onlyModel(model, async (folder) => {
    const recogniser = await openRecogniserModel(folder, packagePath)
    try {
      const { modelId, memoryBytes } = recogniser.models[0]!
      const startMs = performance.now()
      let samples = 0
      const utterance = await recogniser.open({ modelId, withWords: false, signal })
      const source = { file: recording, format, sampleRateHertz: recogniserRateHertz }
      for await (const piece of decodeRecording(source, 'The recording', signal)) {
        samples += piece.length
        await utterance.write(piece)
      }
      const { text } = await utterance.end()
      const seconds = (performance.now() - startMs) / 1000
      const realTimeFactor = seconds / Math.max(samples / recogniserRateHertz, 0.01)
      return { names: [modelId], realTimeFactor, memoryBytes, transcript: text }
    } finally {
      await recogniser.close()
    }
  })
}

/** The engines read all models in a folder, so the model gets a folder of its own. */
async function onlyModel<Result>(
  model: string,
  run: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'parlando-model-'))
  try {
    await symlink(model, join(folder, basename(model)), 'junction')
    return await run(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}
