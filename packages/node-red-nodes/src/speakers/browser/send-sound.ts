import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Sound } from '../../sounds/sound.ts'

/** A browser that reads nothing for so long is gone, or sleeps. The others wait for it. */
const maxPauseMs = 60_000

/**
 * Sends a sound to a browser while it grows, as fast as the browser reads.
 * @throws if the sound fails, the signal aborts, or the browser closes the connection or pauses before the end.
 */
export async function sendSound(
  sound: Sound,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const closed = new AbortController()
  response.on('close', () => closed.abort())
  const ended = AbortSignal.any([signal, closed.signal])
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Cache-Control': 'no-store',
    // nginx would collect the audio otherwise.
    'X-Accel-Buffering': 'no',
  })
  response.flushHeaders()
  for await (const chunk of sound.read(ended)) {
    if (response.write(chunk)) continue
    const patience = AbortSignal.any([ended, AbortSignal.timeout(maxPauseMs)])
    await once(response, 'drain', { signal: patience })
  }
  response.end()
  await once(response, 'finish', { signal: ended })
}
