import { type Service, serviceNodeOf } from './nodes.ts'

/** A tab with a Catch for all its nodes and a Debug as the last node. */
export function tab(service: Service, name: string) {
  const id = `${service}-${name}`
  const place = { z: id, x: 100, y: 100, wires: [[`${id}-end`]] }
  const frame = [
    { id, type: 'tab', label: id },
    { ...place, id: `${id}-end`, type: 'debug', active: false, tosidebar: false, wires: [] },
  ]
  const catchAll = { ...place, id: `${id}-catch`, type: 'catch', scope: null }
  const idOf = (node: string) => `${service}-${node}`
  return { place: { ...place, service: serviceNodeOf(service) }, frame, catchAll, idOf }
}

export const speak = {
  type: 'parlando-speak',
  text: 'payload',
  textType: 'msg',
  voice: '',
  model: '',
  encoding: '',
  sampleRate: '24000',
  output: 'chunks',
  busy: 'wait',
}
