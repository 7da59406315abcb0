import { type Renderer, unlessRejected } from './renderer.ts'

/**
 * Makes a renderer softer than it is, on its scale from 0 to 100. What that means in decibels is for each renderer to decide:
 * as a rule, the amplitude is between the volume itself and its cube.
 * @param percent of the amplitude.
 * @returns what makes it as loud as before, unless somebody has changed it meanwhile.
 */
export async function makeSofter(
  renderer: Renderer,
  percent: number,
): Promise<() => Promise<void>> {
  const read = async () => {
    const values = await unlessRejected(renderer.volume('GetVolume'))
    return Number(values?.get('CurrentVolume') || Number.NaN)
  }
  const write = (volume: number) =>
    unlessRejected(renderer.volume('SetVolume', { DesiredVolume: volume }))
  const before = renderer.hasVolume && percent < 100 ? await read() : Number.NaN
  if (!Number.isFinite(before)) return async () => {}
  const wanted = Math.round(before * Math.cbrt(percent / 100))
  await write(wanted)
  // A renderer may round it.
  const softer = await read().catch(() => wanted)
  return async () => {
    if ((await read()) === softer) await write(before)
  }
}
