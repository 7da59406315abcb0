import { softerVolume } from '../../device-drivers/device-sound.ts'
import { type Renderer, unlessRejected } from './renderer.ts'

/**
 * The volume of a renderer, on its scale from 0 to 100. What that means in decibels is for each renderer to decide: as a rule, the
 * amplitude is between the volume itself and its cube.
 */
export class RendererVolume {
  readonly #renderer: Renderer
  #before: number | undefined
  /** What the renderer has made of the softer volume, which it may round. */
  #during: number | undefined

  constructor(renderer: Renderer) {
    this.#renderer = renderer
  }

  /** @param percent of the amplitude. */
  async makeSofter(percent: number): Promise<void> {
    if (!this.#renderer.hasVolume || percent >= 100) return
    // Before the command: its response may be lost.
    this.#before = await this.#read()
    if (this.#before === undefined) return
    const wanted = Math.round(softerVolume(this.#before, percent))
    await this.#write(wanted)
    this.#during = await this.#read().catch(() => wanted)
  }

  /** Makes it as loud as before, unless somebody has changed it meanwhile. */
  async restore(): Promise<void> {
    if (this.#before === undefined) return
    const now = await this.#read()
    const isOurs = now !== undefined && now === (this.#during ?? now)
    if (isOurs && now !== this.#before) await this.#write(this.#before)
  }

  /** @returns undefined where there is none. */
  async #read(): Promise<number | undefined> {
    const values = await unlessRejected(this.#renderer.volume('GetVolume'))
    const volume = Number(values?.get('CurrentVolume') || Number.NaN)
    return Number.isFinite(volume) ? volume : undefined
  }

  async #write(volume: number): Promise<void> {
    await unlessRejected(this.#renderer.volume('SetVolume', { DesiredVolume: volume }))
  }
}
