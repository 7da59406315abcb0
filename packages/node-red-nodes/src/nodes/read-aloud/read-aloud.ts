import { join } from 'node:path'
import type { Node, NodeAPI, NodeDef } from 'node-red'
import { AfterDeploy } from '../../runtime/after-deploy.ts'
import { findService, leaveThisDevice } from '../../runtime/find-service.ts'
import { handleClose, handleInput } from '../../runtime/input.ts'
import { onRemoval } from '../../runtime/removed-nodes.ts'
import { notePlayed, readControl } from './controls.ts'
import { EarlyWork } from './early-work.ts'
import type { ReadAloudMessage } from './read-aloud-message.ts'
import type { ReadAloudSettings } from './read-aloud-settings.ts'
import { createReadingStore } from './reading-store.ts'
import { TextsOfNode } from './texts-of-node.ts'

type ReadAloudDef = NodeDef & ReadAloudSettings

function register(RED: NodeAPI): void {
  const folder = join(RED.settings.userDir ?? '.', 'parlando')
  const store = createReadingStore(folder, ({ message }) =>
    RED.log.warn(RED._('read-aloud.error.not-saved', { reason: message })),
  )
  onRemoval(RED, ({ isDeleted }) => store.removeOf(isDeleted))
  const afterDeploy = new AfterDeploy(RED)
  /** The nodes that a deploy has interrupted. After a restart, when nobody may want to hear anything, it is empty. */
  const interrupted = new Set<string>()

  function ReadAloud(this: Node, config: ReadAloudDef) {
    RED.nodes.createNode(this, config)
    const texts = new TextsOfNode({ RED, node: this, config, store, afterDeploy })
    findService(RED, this, config.service)?.startAhead()
    const early = new EarlyWork()
    afterDeploy.follow(this, () => {
      try {
        texts.restore(interrupted.delete(this.id))
      } finally {
        early.release()
      }
    })

    handleInput<ReadAloudMessage>(this, (message, send, end) => {
      if (notePlayed(message)) return end()
      const control = readControl(RED, message)
      if (!control) return void texts.take(message, send, end)
      const obey = () => {
        if (!control(texts)) this.warn(RED._('read-aloud.warning.no-text'))
      }
      early.do(obey, end)
    })

    handleClose(RED, this, async ({ isRemoved }) => {
      // Before the first wait: Node-RED forgets the status of a removed node, and then no longer passes on that it is empty.
      this.status({})
      if (texts.reader.isReading && !isRemoved) interrupted.add(this.id)
      early.close()
      await texts.close()
      afterDeploy.leave(this, isRemoved)
      await store.flush()
      await leaveThisDevice(this)
      this.status({})
    })
  }
  RED.nodes.registerType('parlando-read-aloud', ReadAloud)
}

export = register
