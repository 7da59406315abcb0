import { EventEmitter } from 'node:events'
import { createFakeSpeaker } from '@parlando/test-support/speakers/fake-speaker'
import { expect, it } from 'vitest'
import { createConfiguredSpeakers } from './configured-speakers.ts'

function open() {
  const events = new EventEmitter()
  let deploys = 0
  const configured = createConfiguredSpeakers({ events })
  const stop = configured.onDeployed(() => {
    deploys += 1
  })
  const [kitchen, hall] = [createFakeSpeaker('kitchen'), createFakeSpeaker('hall')]
  configured.add(kitchen)
  configured.add(hall)
  return { events, configured, kitchen, hall, deploys: () => deploys, stop }
}

it('a speaker that a deploy closes is found until the flows have started', () => {
  const { events, configured, kitchen, hall, deploys, stop } = open()
  configured.close(kitchen)
  expect([...configured.all.values()]).toEqual([kitchen, hall])
  expect(kitchen.isClosed).toBe(true)
  events.emit('flows:started')
  expect([...configured.all.values()]).toEqual([hall])
  expect(deploys()).toBe(1)
  stop()
  events.emit('flows:started')
  expect(deploys()).toBe(1)
})

it('one that a deploy replaces takes its place', () => {
  const { events, configured, kitchen, hall } = open()
  configured.close(kitchen)
  const replaced = createFakeSpeaker('kitchen')
  configured.add(replaced)
  events.emit('flows:started')
  expect([...configured.all.values()]).toEqual([replaced, hall])
})

it('one that is closed does not exist if Node-RED cannot start the flows', () => {
  const { events, configured, kitchen, hall, deploys } = open()
  configured.close(kitchen)
  // Before the start, it reports that the flows have stopped.
  events.emit('runtime-event', { id: 'runtime-state', payload: { state: 'stop', deploy: true } })
  events.emit('runtime-event', { id: 'runtime-state', retain: true })
  expect([...configured.all.values()]).toEqual([kitchen, hall])
  const payload = { state: 'stop', error: 'missing-types', types: ['unknown'] }
  events.emit('runtime-event', { id: 'runtime-state', payload })
  expect([...configured.all.values()]).toEqual([hall])
  expect(deploys()).toBe(1)
})
