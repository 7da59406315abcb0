import type { CastConnection } from './cast-connection.ts'
import { readStatus, setVolume } from './receiver.ts'

/** Devices round their volume. */
const sameVolume = (one: number, other: number) => Math.abs(one - other) < 0.02

/**
 * Makes a device softer than it is. Its volume is about the cube root of the amplitude.
 * @param before 0 to 1; undefined where it cannot be set.
 * @param percent of the amplitude.
 * @returns what makes it as loud as before, unless somebody has changed it meanwhile.
 */
export async function makeSofter(
  connection: CastConnection,
  before: number | undefined,
  percent: number,
): Promise<(connection: CastConnection) => Promise<void>> {
  if (before === undefined || percent >= 100) return async () => {}
  const softer = before * Math.cbrt(percent / 100)
  await setVolume(connection, softer)
  return async (present) => {
    const { volume } = await readStatus(present)
    if (volume !== undefined && sameVolume(volume, softer)) await setVolume(present, before)
  }
}
