import { Worker } from 'node:worker_threads'
import { RecordingError } from '@parlando/core/audio'
import { programPath, runProgram } from '../../processes/program.ts'
import { toInt16 } from '../pcm.ts'
import { createResampler, type Resampler } from '../resampler.ts'
import { joinSamples } from '../signal.ts'
import { decodePieces } from './decode-pieces.ts'
import type { DecodeRequest, FromDecoder, ToDecoder } from './decode-protocol.ts'

/** How many samples a message has. */
const maxMessageSamples = 65_536
/** A process that has grown more than this ends after its sound. The libraries take half of it. */
const maxKeptGrowthBytes = 64 * 1024 * 1024

/** Encoders pad the end, which does not count as audio. */
const paddingSeconds = 1

// The libraries print messages about broken files.
for (const method of ['log', 'info', 'warn', 'error'] as const) console[method] = () => {}

await runProgram<undefined, ToDecoder, FromDecoder>(async (send) => {
  const startBytes = process.memoryUsage.rss()
  // A thread, because this one does nothing else while a library decodes.
  new Worker(programPath('memory-watch-worker'), {
    workerData: { startBytes },
    execArgv: [],
  }).unref()
  const hasGrown = () => process.memoryUsage.rss() - startBytes > maxKeptGrowthBytes
  let respond = (_message: ToDecoder) => {}
  const ask = (message: FromDecoder) =>
    new Promise<ToDecoder>((resolve) => {
      respond = resolve
      send(message)
    })
  return {
    info: undefined,
    receive(message) {
      if (message.type !== 'open') return respond(message)
      decode(message.request, ask).then(
        () => send({ type: 'end', hasGrown: hasGrown() }),
        (error) => send(toFailure(error, message.request)),
      )
    },
  }
})

type Ask = (message: FromDecoder) => Promise<ToDecoder>

async function decode(request: DecodeRequest, ask: Ask): Promise<void> {
  const { sampleRateHertz: wantedRateHertz, maxSeconds = Number.POSITIVE_INFINITY } = request
  let resampler: Resampler | undefined
  let outputRateHertz = 0
  let madeSamples = 0
  let waiting: Float32Array[] = []
  let waitingSamples = 0
  const send = async () => {
    const sound = joinSamples(waiting)
    waiting = []
    waitingSamples = 0
    for (let at = 0; at < sound.length; at += maxMessageSamples) {
      const samples = toInt16(sound.subarray(at, at + maxMessageSamples))
      await ask({ type: 'sound', samples, sampleRateHertz: outputRateHertz })
    }
  }
  /** Collects samples, because a message takes longer than the decoding of a piece. */
  const add = async (sound: Float32Array) => {
    madeSamples += sound.length
    if (madeSamples > (maxSeconds + paddingSeconds) * outputRateHertz) {
      throw new RecordingError('too-long', { seconds: maxSeconds })
    }
    waiting.push(sound)
    waitingSamples += sound.length
    if (waitingSamples >= maxMessageSamples) await send()
  }
  async function* readBytes(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      // What has arrived can be heard before more arrives.
      await send()
      const message = await ask({ type: 'read' })
      if (message.type !== 'bytes') return
      // The method `slice` of a Buffer copies nothing, but the libraries rely on a copy.
      const { buffer, byteOffset, byteLength } = message.bytes
      yield new Uint8Array(buffer, byteOffset, byteLength)
    }
  }
  try {
    for await (const { samples, sampleRateHertz } of decodePieces(readBytes(), request)) {
      outputRateHertz = wantedRateHertz ?? sampleRateHertz
      resampler ??= await createResampler({ inputRateHertz: sampleRateHertz, outputRateHertz })
      await add(resampler.push(samples))
    }
    if (resampler) await add(resampler.end())
    await send()
  } finally {
    resampler?.close()
  }
}

function toFailure(error: unknown, { format }: DecodeRequest): FromDecoder {
  const known = RecordingError.isInstance(error) ? error : new RecordingError('damaged', { format })
  return { type: 'failed', problem: known.problem, values: known.values }
}
