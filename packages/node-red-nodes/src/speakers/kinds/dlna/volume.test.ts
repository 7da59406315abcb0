import { describe, expect, it } from 'vitest'
import { type Renderer, RendererRejection } from './renderer.ts'
import { RendererVolume } from './volume.ts'

/** A renderer whose volume is all that matters. @param rounded what it makes of a volume. */
function rendererWith(volume: number, rounded = (wanted: number) => wanted) {
  const state = { volume, failing: false }
  const call = async (action: string, { DesiredVolume }: { DesiredVolume?: number } = {}) => {
    if (state.failing) throw new Error('the connection is lost')
    if (action === 'SetVolume') state.volume = rounded(DesiredVolume!)
    return new Map(action === 'GetVolume' ? [['CurrentVolume', String(state.volume)]] : [])
  }
  return { state, renderer: { hasVolume: true, volume: call } as unknown as Renderer }
}

describe('the volume of a renderer', () => {
  it('is lower for a sound, and then as before, also if the renderer rounds', async () => {
    const { state, renderer } = rendererWith(60, (wanted) => wanted - (wanted % 5))
    const changed = new RendererVolume(renderer)
    await changed.makeSofter(50)
    expect(state.volume).toBe(45)
    await changed.restore()
    expect(state.volume).toBe(60)
  })

  it('stays as somebody has set it meanwhile', async () => {
    const { state, renderer } = rendererWith(60)
    const changed = new RendererVolume(renderer)
    await changed.makeSofter(50)
    state.volume = 20
    await changed.restore()
    expect(state.volume).toBe(20)
  })

  it('is restored also if the response to the command is lost', async () => {
    const { state, renderer } = rendererWith(60, (wanted) => wanted - (wanted % 5))
    const { volume } = renderer
    renderer.volume = async (action, values) => {
      const result = await volume(action, values)
      if (action === 'SetVolume') throw new Error('the connection is lost')
      return result
    }
    const changed = new RendererVolume(renderer)
    await expect(changed.makeSofter(50)).rejects.toThrow('lost')
    expect(state.volume).toBe(45)
    renderer.volume = volume
    await changed.restore()
    expect(state.volume).toBe(60)
  })

  it('is restored also if the renderer did not say what it has made of it', async () => {
    const { state, renderer } = rendererWith(60)
    const { volume } = renderer
    renderer.volume = async (action, values) => {
      const result = await volume(action, values)
      state.failing = action === 'SetVolume'
      return result
    }
    const changed = new RendererVolume(renderer)
    await changed.makeSofter(50)
    state.failing = false
    await changed.restore()
    expect(state.volume).toBe(60)
  })

  it('stays as it is for a sound at full volume, and where there is none', async () => {
    const { state, renderer } = rendererWith(60)
    await new RendererVolume(renderer).makeSofter(100)
    await new RendererVolume({ ...renderer, hasVolume: false } as Renderer).makeSofter(50)
    renderer.volume = async () => {
      throw new RendererRejection('SPEAKER_REFUSED', 'Invalid Action')
    }
    await new RendererVolume(renderer).makeSofter(50)
    expect(state.volume).toBe(60)
  })
})
