import { randomUUID } from 'node:crypto'

/** @returns an id such as `item_5f0c…`. The OpenAI API allows 32 characters for the id of an item. */
export function newId(kind: 'sess' | 'event' | 'item' | 'resp' | 'call' | 'conv' | 'rtc'): string {
  return `${kind}_${randomUUID().replaceAll('-', '').slice(0, 24)}`
}
