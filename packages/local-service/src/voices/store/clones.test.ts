import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeClonedVoice } from '@parlando/test-support/local-service/test-app'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Clones } from './clones.ts'
import { createFolderVoiceStore } from './folder-voice-store.ts'
import type { VoiceStore } from './voice-store.ts'

const warnings: string[] = []
const warn = (message: string) => void warnings.push(message)
const anna = makeClonedVoice('anna')

let store: VoiceStore
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'parlando-clones-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  store = createFolderVoiceStore(folder, warn)
  warnings.length = 0
})

describe('cloned voices', () => {
  it('are found, changed and deleted, both in memory and in the store', async () => {
    const clones = new Clones({ store, warn })
    await clones.add(anna)
    const changed = await clones.change('local__anna', { displayName: 'Anna', tags: [] })
    expect(changed).toEqual({ ...anna.voice, displayName: 'Anna', tags: [] })
    expect(await store.read()).toEqual([{ ...anna, voice: changed }])
    expect(clones.find('local__anna')).toEqual({ ...anna, voice: changed })
    await clones.remove('local__anna')
    expect(clones.list()).toEqual([])
    expect(await store.read()).toEqual([])
    await expect(clones.remove('local__anna')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('keep the last of several concurrent changes, both in memory and in the store', async () => {
    const clones = new Clones({ stored: [anna], store, warn })
    await store.write(anna)
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`)
    await Promise.all(names.map((displayName) => clones.change('local__anna', { displayName })))
    expect(clones.list()).toMatchObject([{ voice: { displayName: 'Name 19' } }])
    expect(await store.read()).toEqual(clones.list())
  })

  it('never exceed their maximum number, even when many are added concurrently', async () => {
    const clones = new Clones({ store, warn, maxVoices: 2 })
    const added = ['a', 'b', 'c', 'd'].map((name) => clones.add(makeClonedVoice(name)))
    const results = await Promise.allSettled(added)
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    await expect(added[3]).rejects.toMatchObject({
      code: 'RESOURCE_EXHAUSTED',
      message: expect.stringContaining('delete one'),
    })
    expect(await store.read()).toHaveLength(2)
  })

  it('stay deleted when another service has deleted them from the shared folder', async () => {
    const [one, other] = [new Clones({ store, warn }), new Clones({ stored: [anna], store, warn })]
    await one.add(anna)
    await one.remove('local__anna')
    const change = other.change('local__anna', { displayName: 'Anna' })
    await expect(change).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(other.list()).toEqual([])
    expect(await store.read()).toEqual([])
  })

  it('keep a recording until they are deleted, and none if they cannot be stored', async () => {
    const clones = new Clones({ store, warn })
    const recording = { wav: Buffer.from('RIFF'), text: 'Hello' }
    const added = await clones.add(anna, recording)
    expect(added).toMatchObject({ voice: { keepsRecording: true }, recording: { text: 'Hello' } })
    const wavPath = added.recording!.wavPath
    expect(readFileSync(wavPath, 'utf8')).toBe('RIFF')
    await clones.change('local__anna', { displayName: 'Anna' })
    expect(await store.read()).toMatchObject([{ recording: { text: 'Hello', wavPath } }])
    await clones.remove('local__anna')
    expect(existsSync(wavPath)).toBe(false)

    const full = { ...store, write: () => Promise.reject(new Error('the disk is full')) }
    await expect(new Clones({ store: full, warn }).add(anna, recording)).rejects.toThrow()
    expect(existsSync(wavPath)).toBe(false)
  })

  it('stay unchanged while the store fails, and can be changed when it works again', async () => {
    let failing = true
    const fail = () => Promise.reject(Object.assign(new Error('at /secret'), { code: 'ENOSPC' }))
    const unreliable: VoiceStore = {
      ...store,
      write: (clone) => (failing ? fail() : store.write(clone)),
      remove: (voiceId) => (failing ? fail() : store.remove(voiceId)),
    }
    await store.write(anna)
    const clones = new Clones({ stored: [anna], store: unreliable, warn })
    const failure = {
      code: 'FAILED_PRECONDITION',
      message: 'The service cannot change its voices: the disk is full',
    }
    await expect(clones.add(makeClonedVoice('bert'))).rejects.toMatchObject(failure)
    await expect(clones.change('local__anna', { displayName: 'A' })).rejects.toMatchObject(failure)
    await expect(clones.remove('local__anna')).rejects.toMatchObject(failure)
    expect(clones.list()).toEqual([anna])
    expect(warnings).toEqual(Array(3).fill(expect.stringContaining('at /secret')))
    failing = false
    await clones.remove('local__anna')
    expect(clones.list()).toEqual([])
  })
})
