import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readRecordingFormat, writeWavHeader } from '@parlando/core/audio'
import { decodeRecording } from '../../audio/decoding/decode-recording.ts'
import { toPcmBytes } from '../../audio/pcm.ts'
import { recogniserRateHertz } from '../../recognisers/recogniser.ts'
import { ModelError } from '../catalogue/model-error.ts'
import { openModel } from '../install/load-model.ts'

/** How a model performs on this machine. */
export interface ModelTest {
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

export interface VoiceTestRequest {
  /** The folder of the model. */
  model: string
  packagePath: string
  text: string
  signal: AbortSignal
}

/** Speaks a text with the first voice of a model. */
export async function testVoice(request: VoiceTestRequest): Promise<ModelTest> {
  const { model, packagePath, text, signal } = request
  return onlyModel(model, async (folder) => {
    const engine = await openModel('voice', folder, packagePath)
    try {
      const voice = engine.voices[0]!.name
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
        names: engine.voices.map(({ name }) => name),
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

export interface RecogniserTestRequest {
  /** The folder of the model. */
  model: string
  packagePath: string
  /** A file of at most a minute. */
  recording: Uint8Array
  signal: AbortSignal
}

/** Transcribes a recording. */
export async function testRecogniser(request: RecogniserTestRequest): Promise<ModelTest> {
  const { model, packagePath, recording, signal } = request
  const format = readRecordingFormat(recording)
  if (!format) {
    throw new ModelError('DAMAGED', 'The recording is neither WAV, MP3, Ogg Opus, WebM nor FLAC')
  }
  return onlyModel(model, async (folder) => {
    const recogniser = await openModel('recogniser', folder, packagePath)
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
