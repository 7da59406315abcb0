import { randomUUID } from 'node:crypto'

/** @returns a new id such as `item_3f2a…`. Services take ids of up to 32 characters. */
export function newId(kind: 'event' | 'item'): string {
  return `${kind}_${randomUUID().replaceAll('-', '').slice(0, 20)}`
}
