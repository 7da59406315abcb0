import { abortableDelay } from '../../../runtime/wait.ts'
import { type Renderer, unlessRejected } from './renderer.ts'

/** What a renderer plays. */
export interface RendererPlayback {
  state: string
  /** Empty: nothing. */
  uri: string
  metadata: string
  /** A position such as `0:03:20`; undefined where the renderer names none, as for a radio station. */
  position: string | undefined
}

const pollMs = 100
/** How long a renderer may take until it has stopped, allows Play, or plays. */
const readyWithinMs = 5_000

/** @throws {SpeakerError} when the renderer does not respond. */
export async function readPlayback(renderer: Renderer): Promise<RendererPlayback> {
  const state = await stateOf(renderer)
  const media = await unlessRejected(renderer.transport('GetMediaInfo'))
  const place = await unlessRejected(renderer.transport('GetPositionInfo'))
  const position = place?.get('RelTime') ?? ''
  return {
    state,
    uri: media?.get('CurrentURI') || (place?.get('TrackURI') ?? ''),
    metadata: media?.get('CurrentURIMetaData') ?? '',
    position: /^\d{1,3}:\d\d:\d\d/.test(position) ? position : undefined,
  }
}

export async function stateOf(renderer: Renderer): Promise<string> {
  return (await renderer.transport('GetTransportInfo')).get('CurrentTransportState') ?? ''
}

/** Waits until something is so, as long as a renderer may take. */
export async function waitUntil(signal: AbortSignal, isSo: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now()
  while (!(await isSo()) && performance.now() - startedAt < readyWithinMs) {
    await abortableDelay(pollMs, signal)
  }
}

export interface InterruptedPlayback {
  before: RendererPlayback
  /** The address of the sound. */
  soundUri: string
  /** Makes the renderer as loud as before. */
  restoreVolume(): Promise<void>
}

/**
 * Lets a renderer play what it played before a sound; what was paused is loaded again, from its start. What somebody has chosen
 * meanwhile stays.
 * @throws {SpeakerError} when the renderer rejects it.
 */
export async function continuePlayback(
  renderer: Renderer,
  { before, soundUri, restoreVolume }: InterruptedPlayback,
): Promise<void> {
  const now = await readPlayback(renderer)
  const isOurs = (uri: string) => uri.startsWith(soundUri.slice(0, soundUri.lastIndexOf('/') + 1))
  const isTakenOver = now.uri !== '' && now.uri !== before.uri && !isOurs(now.uri)
  // Silence first.
  if (!isTakenOver) await unlessRejected(renderer.transport('Stop'))
  await restoreVolume()
  // Some renderers keep the address of the last sound.
  if (isTakenOver || before.uri === '' || isOurs(before.uri)) return
  await renderer.transport('SetAVTransportURI', {
    CurrentURI: before.uri,
    CurrentURIMetaData: before.metadata,
  })
  if (before.state !== 'PLAYING' && before.state !== 'TRANSITIONING') return
  await renderer.transport('Play', { Speed: 1 })
  if (before.position === undefined) return
  const { signal } = new AbortController()
  await waitUntil(signal, async () => (await stateOf(renderer)) === 'PLAYING')
  await renderer.transport('Seek', { Unit: 'REL_TIME', Target: before.position })
}
