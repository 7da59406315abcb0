import { abortableDelay } from '../../../runtime/wait.ts'
import { applyGain } from '../../../sounds/gain.ts'
import type { Sound } from '../../../sounds/sound.ts'
import { restore } from '../../device-drivers/restore.ts'
import type { Played, PlayOptions } from '../../driver.ts'
import type { Device } from '../../network/device.ts'
import { textOfAddress } from '../../network/device-address.ts'
import { objectOf } from '../../network/json.ts'
import { SpeakerError } from '../../speaker-error.ts'
import { chooseGroups } from './choose-groups.ts'
import { type FoundSource, findSource } from './find-source.ts'
import type { Muting } from './muting.ts'
import { toSampleFormat } from './sample-format.ts'
import { readServerState, type SnapcastGroup, type SnapcastStream } from './server-state.ts'
import type { SnapcastControl } from './snapcast-control.ts'
import { SnapcastSource } from './snapcast-source.ts'

/** Clients hear a sample later than the buffer says: encoding, the network, and their own sound device. */
const marginMs = 100
/** The server looks twice a second whether a source is active. */
const noticeMs = 600
/** A tenth of a second of PCM. */
const pieceBytes = 8192

export interface GroupsCall extends Pick<PlayOptions, 'signal' | 'volume' | 'onFirstSound'> {
  device: Device
  sourceName: string
  bufferMs: number
  muting: Muting
  reconnect(): Promise<SnapcastControl>
}

/**
 * Plays a sound in all groups that hear a source.
 * @throws {SpeakerError} when the server or all clients are gone; the error of the sound; the reason of the signal.
 */
export async function playInGroups(
  control: SnapcastControl,
  sound: Sound,
  call: GroupsCall,
): Promise<Played> {
  const { device, sourceName } = call
  const found = await findSource(control, device, sourceName)
  const { groups, switched, mustWake } = chooseGroups(found.state, found.stream)
  if (groups.length === 0) {
    const values = { address: textOfAddress(device.address) }
    throw new SpeakerError('NO_PLAYER', device.RED._('speaker.snapcast.no-client', values))
  }
  const streams = switched.map(({ id }) => ({ id, stream_id: found.stream.id }))
  try {
    for (const stream of streams) await control.request('Group.SetStream', stream)
    await writeSound(control, sound, { ...call, found, groups, mustWake })
    return { confirmedBy: 'duration' }
  } finally {
    await restore(control, call.reconnect, (present) => switchBack(present, switched, found))
  }
}

interface Writing extends GroupsCall {
  found: FoundSource
  groups: readonly SnapcastGroup[]
  mustWake: boolean
}

async function writeSound(control: SnapcastControl, sound: Sound, call: Writing): Promise<void> {
  const { device, found, groups, mustWake, signal, volume } = call
  const { format, port, chunkMs, stream } = found
  const address = { host: device.address.host, port }
  const source = await SnapcastSource.open({ ...device, address }, format, signal)
  const stopped = AbortSignal.any([signal, endOf(control)])
  const running = AbortSignal.any([stopped, source.gone])
  const heardAfterMs = call.bufferMs + Math.max(...groups.map(({ latencyMs }) => latencyMs))
  let first: NodeJS.Timeout | undefined
  try {
    if (mustWake) await source.wake(untilActive(control, stream, running), running)
    const startsAt = Math.max(source.dueAt, performance.now())
    first = setTimeout(call.onFirstSound, startsAt + heardAfterMs - performance.now())
    const samples = applyGain(piecesOf(sound.read(running)), volume / 100)
    for await (const piece of toSampleFormat(samples, format)) await source.write(piece, running)
    source.end(chunkMs)
    await abortableDelay(source.dueAt + heardAfterMs + marginMs - performance.now(), stopped)
  } catch (error) {
    source.discard()
    await call.muting.mute(control, groups, heardAfterMs + marginMs).catch(() => {})
    throw error
  } finally {
    clearTimeout(first)
  }
}

/** Aborted when the connection ends. */
function endOf({ ended }: SnapcastControl): AbortSignal {
  const over = new AbortController()
  ended.catch((error) => over.abort(error))
  return over.signal
}

/** Resolves when a meta stream lets the source through. The end of an earlier sound may not have been noticed yet. */
function untilActive(
  control: SnapcastControl,
  { id, isPlaying }: SnapcastStream,
  signal: AbortSignal,
): Promise<void> {
  if (isPlaying) return abortableDelay(noticeMs, signal)
  return control.until((method, { id: changed, stream }) => {
    const { status } = objectOf(stream)
    return method === 'Stream.OnUpdate' && changed === id && status === 'playing'
  }, signal)
}

/** So that no step takes long. */
async function* piecesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes)
  }
}

/** Gives groups the streams that they had, unless somebody has chosen another one meanwhile. */
async function switchBack(
  control: SnapcastControl,
  switched: readonly SnapcastGroup[],
  { stream }: FoundSource,
): Promise<void> {
  if (switched.length === 0) return
  const { groups } = readServerState(await control.request('Server.GetStatus'))
  const isOurs = ({ id }: SnapcastGroup) =>
    groups.some((now) => now.id === id && now.streamId === stream.id)
  for (const { id, streamId } of switched.filter(isOurs)) {
    await control.request('Group.SetStream', { id, stream_id: streamId })
  }
}
