import type { RTCDataChannel, RTCPeerConnection } from 'werift'

/** The data channel of a call. */
export interface MessageChannel {
  /** Resolves when the client has opened it, or the call has ended. */
  readonly opened: Promise<void>
  /** Sends a message. Resolves when most of what was sent has left. A message that is too large ends the call. */
  send(message: string): Promise<void>
}

export interface MessageChannelOptions {
  /** Aborted when the call has ended. */
  signal: AbortSignal
  onMessage(message: Buffer): void
  /** Called when the channel cannot continue. */
  onEnd(): void
}

const slowBytes = 64 * 1024

/** Waits for the channel that the client opens. Only the first one counts. */
export function createMessageChannel(
  peer: RTCPeerConnection,
  { signal, onMessage, onEnd }: MessageChannelOptions,
): MessageChannel {
  let channel: RTCDataChannel | undefined
  let resolveOpened = () => {}
  const opened = new Promise<void>((resolve) => (resolveOpened = resolve))
  const waiting = new Set<() => void>()
  const resume = () => {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  signal.addEventListener(
    'abort',
    () => {
      resolveOpened()
      resume()
    },
    { once: true },
  )
  peer.onDataChannel.subscribe((offered) => {
    if (channel) return offered.close()
    channel = offered
    channel.bufferedAmountLowThreshold = slowBytes
    channel.bufferedAmountLow.subscribe(resume)
    channel.onMessage.subscribe((message) => onMessage(Buffer.from(message)))
    channel.stateChanged.subscribe((state) => {
      if (state === 'closed') onEnd()
    })
    resolveOpened()
  })
  return {
    opened,
    async send(message) {
      if (!channel || signal.aborted) return
      try {
        channel.send(message)
      } catch {
        return onEnd()
      }
      if (channel.bufferedAmount <= slowBytes) return
      await new Promise<void>((resolve) => waiting.add(resolve))
    },
  }
}
