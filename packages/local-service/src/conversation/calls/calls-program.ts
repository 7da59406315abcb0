import { pathToFileURL } from 'node:url'
import type { WebRtcCall } from '@parlando/webrtc'
import { openOpusPackets } from '../../audio/encoding/opus-packets.ts'
import { runProgram } from '../../processes/program.ts'
import type { Numbered } from '../../processes/restarting-program.ts'
import { createCallInput } from './call-input.ts'

/** A message to this program. The work is a call. */
export type CallRequest =
  | { type: 'accept'; offer: string; isLocal: boolean; connectLimitMs?: number }
  | { type: 'message'; message: string }
  /** 20 ms of sound, as PCM with 24 kHz, and its position since the start of the call. */
  | { type: 'sound'; pcm: Uint8Array; positionMs: number }
  | { type: 'close' }

/** A report of this program: on a call, or that it is alive. */
export type CallReport = CallEvent | { type: 'alive'; memoryBytes: number }

export type CallEvent =
  | { type: 'accepted'; answer: string }
  /** The offer cannot become a call; the problem is the end of a sentence about it. */
  | { type: 'rejected'; problem: string }
  | { type: 'failed'; reason: string }
  | { type: 'opened' }
  | { type: 'message'; message: Uint8Array }
  /** Sound of the client, as PCM with 24 kHz. */
  | { type: 'sound'; pcm: Uint8Array }
  /** Most of a message has left. */
  | { type: 'sent' }
  | { type: 'ended' }

/** How often the program reports that it is alive. */
const aliveEveryMs = 1000

const [packagePath = ''] = process.argv.slice(2)

await runProgram<undefined, Numbered<CallRequest>, Numbered<CallReport>>(async (send) => {
  const webRtc: typeof import('@parlando/webrtc') = await import(pathToFileURL(packagePath).href)
  const { acceptCall, OfferError } = webRtc
  const calls = new Map<number, { call: WebRtcCall; encode(pcm: Uint8Array): Uint8Array }>()

  const accept = async ({
    work,
    offer,
    ...options
  }: Numbered<Extract<CallRequest, { type: 'accept' }>>) => {
    const report = (event: CallEvent) => send({ work, ...event })
    const codec = await openOpusPackets(24_000)
    const decode = createCallInput(codec)
    try {
      const call = await acceptCall(offer, {
        ...options,
        onPacket: (packet) => report({ type: 'sound', pcm: decode(packet) }),
        onMessage: (message) => report({ type: 'message', message }),
      })
      const end = async () => {
        calls.delete(work)
        codec.close()
        await call.close()
        report({ type: 'ended' })
      }
      calls.set(work, { call, encode: codec.encode })
      report({ type: 'accepted', answer: call.answer })
      void call.opened.then(() => report({ type: 'opened' }))
      if (call.signal.aborted) return void end()
      call.signal.addEventListener('abort', end, { once: true })
    } catch (error) {
      codec.close()
      const { message } = error as Error
      const isRejected = error instanceof OfferError
      report(
        isRejected ? { type: 'rejected', problem: message } : { type: 'failed', reason: message },
      )
    }
  }

  setInterval(
    () => send({ work: 0, type: 'alive', memoryBytes: process.memoryUsage.rss() }),
    aliveEveryMs,
  ).unref()
  return {
    info: undefined,
    receive(request) {
      if (request.type === 'accept') return void accept(request)
      const { call, encode } = calls.get(request.work) ?? {}
      if (!call || !encode) return
      if (request.type === 'close') return void call.close()
      if (request.type === 'sound') {
        return call.sendPacket(encode(request.pcm), request.positionMs)
      }
      void call.send(request.message).then(() => send({ work: request.work, type: 'sent' }))
    },
  }
})
