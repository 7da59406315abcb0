import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { type RecordingFormat, recordingLimits } from '@parlando/core/audio'
import { toInt16 } from '../dsp/pcm.ts'
import { createResampler, type Resampler } from '../dsp/resampler.ts'
import { decodePieces } from './decode-pieces.ts'

/** A recording for this thread. */
export interface DecodeRequest {
  file: Uint8Array
  format: RecordingFormat
  sampleRateHertz: number
}

/** The thread reports samples and then waits for a message. The last report has none. */
export interface DecodeReport {
  samples?: Int16Array
  /** Why the recording cannot be decoded; continues the sentence "The audio …". */
  problem?: string
}

const { file, format, sampleRateHertz } = workerData as DecodeRequest
const maxSamples = (recordingLimits.maxSeconds + 1) * sampleRateHertz
const port = parentPort!
let resampler: Resampler | undefined
let sentSamples = 0

async function send(resampled: Float32Array): Promise<void> {
  if (resampled.length === 0) return
  sentSamples += resampled.length
  if (sentSamples > maxSamples) {
    throw new Error(`is longer than the limit of ${recordingLimits.maxSeconds} s; split it`)
  }
  const samples = toInt16(resampled)
  const report: DecodeReport = { samples }
  port.postMessage(report, [samples.buffer as ArrayBuffer])
  await once(port, 'message')
}

async function decode(): Promise<DecodeReport> {
  try {
    for await (const piece of decodePieces(file, format)) {
      resampler ??= await createResampler({
        inputRateHertz: piece.sampleRateHertz,
        outputRateHertz: sampleRateHertz,
      })
      await send(resampler.push(piece.samples))
    }
    if (resampler) await send(resampler.end())
    return {}
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

port.postMessage(await decode())
