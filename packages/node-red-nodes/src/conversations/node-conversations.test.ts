import { EventEmitter } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NodeAPI } from 'node-red'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fileNameOf } from '../saved/saved-file.ts'
import { forgetDeletedNodes } from './node-conversations.ts'

it('the conversations of a deleted node are removed once, although several types of nodes have them', () => {
  const userDir = mkdtempSync(join(tmpdir(), 'parlando-conversations-'))
  onTestFinished(() => rmSync(userDir, { recursive: true }))
  // Each attempt to remove a folder in place of the file fails with a warning.
  mkdirSync(join(userDir, 'parlando', 'conversations', `${fileNameOf('deleted')}.json`), {
    recursive: true,
  })
  const warn = vi.fn()
  const shared = { events: new EventEmitter(), httpNode: {} }
  const typeOfNode = () =>
    ({ ...shared, settings: { userDir }, log: { warn } }) as unknown as NodeAPI
  forgetDeletedNodes(typeOfNode())
  forgetDeletedNodes(typeOfNode())
  const removed = { diff: { removed: ['deleted'] } }
  shared.events.emit('flows:stopping', removed)
  shared.events.emit('flows:stopped', removed)
  expect(warn).toHaveBeenCalledOnce()
})
