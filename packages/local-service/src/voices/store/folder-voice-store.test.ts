import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeClonedVoice } from '@parlando/test-support/local-service/test-app'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFolderVoiceStore, createSharedFolderVoiceStore } from './folder-voice-store.ts'

let folder: string
let warnings: string[]
beforeEach(() => {
  const temporary = mkdtempSync(join(tmpdir(), 'parlando-store-'))
  onTestFinished(() => rmSync(temporary, { recursive: true }))
  folder = join(temporary, 'voices')
  warnings = []
})

const isPosix = process.platform !== 'win32'
const store = (at = folder) => createFolderVoiceStore(at, (message) => warnings.push(message))
const anna = makeClonedVoice('anna', { displayName: '../../Änna\n"', tags: ['calm'] })
const bert = makeClonedVoice('bert', { createTime: '2020-01-02T03:04:05Z' })

describe('createFolderVoiceStore', () => {
  it('reads no voices if the folder does not exist', async () => {
    expect(await store().read()).toEqual([])
    expect(warnings).toEqual([])
  })

  it('reads the voices it has written, the oldest first', async () => {
    await store().write(anna)
    await store().write(bert)
    expect(await store().read()).toEqual([bert, anna])
    expect(readdirSync(folder).sort()).toEqual(['local__anna.json', 'local__bert.json'])
  })

  it('replaces and removes voices', async () => {
    await store().write(anna)
    const renamed = { ...anna, voice: { ...anna.voice, displayName: 'Anna' } }
    await store().write(renamed)
    expect(await store().read()).toEqual([renamed])
    expect(await store().has('local__anna')).toBe(true)
    await store().remove('local__anna')
    await store().remove('local__anna')
    expect(await store().has('local__anna')).toBe(false)
    expect(await store().read()).toEqual([])
  })

  it.each(['../anna', 'local__../anna', 'local__', 'Anna', `local__${'a'.repeat(99)}`])(
    'creates no file for the id %s',
    async (voiceId) => {
      await expect(store().write(makeClonedVoice('', { voiceId }))).rejects.toThrow()
      expect(() => store().remove(voiceId)).toThrow()
      expect(await store().read()).toEqual([])
    },
  )

  it.each([
    ['half.json', '{"parlandoVoice": 1, "voi', 'it is not JSON'],
    ['foreign.json', '{"name": "my-app"}', 'it is not a voice file'],
    ['newer.json', '{"parlandoVoice": 2, "shape": {}}', 'a newer version of this service wrote it'],
    ['old.json', '{"parlandoVoice": 1, "engine": 2}', 'voice: Invalid input'],
    ['huge.json', ' '.repeat(300 * 1024), 'bytes exceed the limit of 262144'],
  ])('skips %s, keeps the file and names it in a warning', async (name, content, reason) => {
    await store().write(anna)
    writeFileSync(join(folder, name), content)
    expect(await store().read()).toEqual([anna])
    expect(warnings).toEqual([expect.stringContaining(name)])
    expect(warnings[0]).toContain(reason)
    expect(readFileSync(join(folder, name), 'utf8')).toBe(content)
  })

  it.runIf(isPosix)('skips a named pipe, which would keep the reader waiting', async () => {
    await store().write(anna)
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    expect(await store().read()).toEqual([anna])
    expect(warnings).toEqual([expect.stringMatching(/pipe\.json cannot be used: it is not a file/)])
  })

  it.runIf(isPosix)(
    'warns if other users can change the data folder or read the voices',
    async () => {
      await store().write(anna)
      chmodSync(dirname(folder), 0o777)
      chmodSync(folder, 0o755)
      expect(await store().read()).toEqual([anna])
      expect(warnings).toEqual([
        `Other users of this machine have access to ${dirname(folder)}: run chmod 700 ${dirname(folder)}`,
        `Other users of this machine have access to ${folder}: run chmod 700 ${folder}`,
      ])
    },
  )

  it('does not warn if other users can only read the data folder', async () => {
    await store().write(anna)
    chmodSync(dirname(folder), 0o755)
    await store().read()
    expect(warnings).toEqual([])
  })

  it.runIf(isPosix)('warns only if it may not write', async () => {
    await store().write(anna)
    chmodSync(folder, 0o500)
    expect(await store().read()).toEqual([anna])
    const warning = `The service may not write to ${folder}, so it cannot store cloned voices`
    // The superuser may write everywhere.
    expect(warnings).toEqual(process.getuid?.() === 0 ? [] : [warning])
    chmodSync(folder, 0o700)
  })

  it('skips and keeps a renamed file and a folder', async () => {
    await store().write(anna)
    const text = readFileSync(join(folder, 'local__anna.json'))
    writeFileSync(join(folder, 'local__copy.json'), text)
    mkdirSync(join(folder, 'folder.json'))
    expect(await store().read()).toEqual([anna])
    expect(warnings).toHaveLength(2)
  })

  it('keeps a recording with its voice, and removes both', async () => {
    const wavPath = await store().writeRecording!('local__anna', Buffer.from('RIFF'))
    const voice = { ...anna.voice, keepsRecording: true }
    const kept = { ...anna, voice, recording: { wavPath, text: 'Hello' } }
    await store().write(kept)
    await store().write(bert)
    expect(await store().read()).toEqual([bert, kept])
    expect(readFileSync(join(folder, 'local__anna.json'), 'utf8')).not.toContain(folder)
    await store().remove('local__anna')
    expect(readdirSync(folder)).toEqual(['local__bert.json'])
  })

  it('reads a voice without a recording after a person has deleted the file', async () => {
    const wavPath = await store().writeRecording!('local__anna', Buffer.from('RIFF'))
    const voice = { ...anna.voice, keepsRecording: true }
    await store().write({ ...anna, voice, recording: { wavPath } })
    rmSync(wavPath)
    expect(await store().read()).toEqual([anna])
  })

  it('removes an old recording without a voice, of a service that was killed', async () => {
    for (const name of ['anna', 'bert', 'cleo']) {
      await store().writeRecording!(`local__${name}`, Buffer.from('RIFF'))
    }
    await store().write({ ...anna, recording: { wavPath: '' } })
    const anHourAgo = Date.now() / 1000 - 3600
    for (const name of ['anna', 'bert'])
      utimesSync(join(folder, `local__${name}.wav`), anHourAgo, anHourAgo)
    await store().read()
    // Another service may be about to write the voice of the last one.
    expect(readdirSync(folder).sort()).toEqual([
      'local__anna.json',
      'local__anna.wav',
      'local__cleo.wav',
    ])
  })

  it('removes only the old temporary files of a service that was killed while writing', async () => {
    await store().write(anna)
    const part = 'local__bert.json.01234567-89ab-4cde-8f01-23456789abcd.part'
    const ofEarlierVersion = 'local__dora.wav.0123abcd.tmp'
    const young = part.replace('bert', 'cleo')
    const names = [part, ofEarlierVersion, young, 'my.tmp', 'my.part']
    for (const name of names) writeFileSync(join(folder, name), '{"parlandoVoice": 1, "voi')
    const anHourAgo = Date.now() / 1000 - 3600
    for (const name of ['local__anna.json', part, ofEarlierVersion, 'my.tmp', 'my.part']) {
      utimesSync(join(folder, name), anHourAgo, anHourAgo)
    }
    expect(await store().read()).toEqual([anna])
    // Another service may be about to write the young one.
    expect(readdirSync(folder).sort()).toEqual(['local__anna.json', young, 'my.part', 'my.tmp'])
  })

  it('leaves a file that another service is writing, if its own clock differs from that of the folder', async () => {
    await store().write(anna)
    const young = 'local__cleo.json.01234567-89ab-4cde-8f01-23456789abcd.part'
    writeFileSync(join(folder, young), '{"parlandoVoice": 1, "voi')
    setClock(Date.now() + 3_600_000)
    expect(await store().read()).toEqual([anna])
    expect(readdirSync(folder).sort()).toEqual(['local__anna.json', young])
  })

  it('removes an old file, if its own clock differs from that of the folder', async () => {
    await store().write(anna)
    const old = 'local__cleo.json.01234567-89ab-4cde-8f01-23456789abcd.part'
    writeFileSync(join(folder, old), '{"parlandoVoice": 1, "voi')
    const anHourAgo = Date.now() / 1000 - 3600
    utimesSync(join(folder, old), anHourAgo, anHourAgo)
    setClock(Date.now() - 86_400_000)
    expect(await store().read()).toEqual([anna])
    expect(readdirSync(folder)).toEqual(['local__anna.json'])
  })

  it('warns if the path of the folder is a file', async () => {
    writeFileSync(folder, '')
    expect(await store().read()).toEqual([])
    expect(warnings).toEqual([expect.stringContaining('ENOTDIR')])
    await expect(store(join(folder, 'below')).write(anna)).rejects.toMatchObject({
      code: 'ENOTDIR',
    })
  })

  it('leaves no temporary file when the last step of writing fails', async () => {
    mkdirSync(join(folder, 'local__anna.json', 'in the way'), { recursive: true })
    await expect(store().write(anna)).rejects.toThrow('rename')
    expect(readdirSync(folder)).toEqual(['local__anna.json'])
  })
})

describe('createSharedFolderVoiceStore', () => {
  it('has another version after a change whose time the folder does not show, however wrong its clock', async () => {
    const shared = createSharedFolderVoiceStore(folder, (message) => warnings.push(message))
    await shared.write(anna)
    setClock(Date.now() + 3_600_000)
    const { atime, mtime } = statSync(folder)
    utimesSync(folder, atime, mtime)
    const before = await shared.version!()
    await shared.write(bert)
    utimesSync(folder, atime, mtime)
    expect(await shared.version!()).not.toBe(before)
  })
})

/** Sets the clock of this process, but not that of the file system. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: ms })
  onTestFinished(() => void vi.useRealTimers())
}
