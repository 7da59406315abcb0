import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { optionalEnginesFolder } from '@parlando/test-support/local-service/test-app'
import { startTestServer } from '@parlando/test-support/servers/test-server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { downloadBytes, findEntry } from './models/catalogue/catalogue.ts'

const run = promisify(execFile)
const cli = createRequire(import.meta.url).resolve('@parlando/local-service/cli')

describe('parlando-local voices', () => {
  it('keeps what has arrived of a voice when Ctrl+C stops the download', async () => {
    const mirror = await startTestServer((response) => {
      response.writeHead(200, { 'content-length': downloadBytes(findEntry('voice', 'ljspeech')) })
      response.write(Buffer.alloc(5000))
    })
    const data = await mkdtemp(join(tmpdir(), 'parlando-'))
    onTestFinished(() => rm(data, { recursive: true }))
    const folders = ['--data-folder', data, '--engines-folder', optionalEnginesFolder]
    const args = ['voices', 'add', 'ljspeech', '--yes', '--from', mirror.baseUrl, ...folders]
    const child = spawn(process.execPath, [cli, ...args])
    onTestFinished(() => void child.kill('SIGKILL'))
    let said = ''
    child.stderr.on('data', (text) => {
      // A second signal would end the process at once.
      if (!said.includes('%') && String(text).includes('%')) child.kill('SIGINT')
      said += text
    })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(1)
    expect(said).toMatch(/Stopped\. What has arrived is kept; repeat the command to continue\n$/)
    expect(mirror.requests).toMatchObject([{ url: '/vits-piper-en_US-ljspeech-medium.tar.bz2' }])
    const downloads = await readdir(join(data, 'models/.downloads/ljspeech'))
    expect(downloads).toEqual(['vits-piper-en_US-ljspeech-medium.tar.bz2.part'])
  })

  it.skipIf(process.platform === 'win32')(
    'leaves no lock that it could not write, so that the next try need not wait',
    async () => {
      const data = await mkdtemp(join(tmpdir(), 'parlando-'))
      onTestFinished(() => rm(data, { recursive: true }))
      const models = join(data, 'models')
      await mkdir(models)
      // Like a full disk: the file can be made, but not written.
      const script = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`
      const args = [cli, 'voices', 'remove', 'tiny', '--data-folder', data]
      const removed = run('bash', ['-c', script, process.execPath, ...args])
      await expect(removed).rejects.toMatchObject({ stderr: expect.stringContaining('EFBIG') })
      expect(await readdir(models)).toEqual([])
    },
  )
})
