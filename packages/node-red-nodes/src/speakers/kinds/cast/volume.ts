import { softerVolume } from '../../device-drivers/device-sound.ts'
import type { CastConnection } from './cast-connection.ts'
import { readStatus, setVolume } from './receiver.ts'

/** Devices round their volume. */
const sameVolume = (one: number, other: number) => Math.abs(one - other) < 0.02

/** The volumes of a device before a sound and during it, 0 to 1. */
export interface VolumeChange {
  before: number
  during: number
}

/**
 * The volume of a device for a sound.
 * @param before undefined where it cannot be set.
 * @param percent of the amplitude.
 * @returns undefined where it stays as it is.
 */
export function changeOf(before: number | undefined, percent: number): VolumeChange | undefined {
  if (before === undefined || percent >= 100) return undefined
  return { before, during: softerVolume(before, percent) }
}

/** Makes a device as loud as before, unless somebody has changed it meanwhile. */
export async function restoreVolume(
  connection: CastConnection,
  { before, during }: VolumeChange,
): Promise<void> {
  const { volume } = await readStatus(connection)
  if (volume !== undefined && sameVolume(volume, during)) await setVolume(connection, before)
}
