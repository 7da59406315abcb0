import { expect, it } from 'vitest'
import { fileNameOf } from './saved-file.ts'

it.each(['..', 'a/../../b', '', undefined, null, {}])(
  'a node with the id %j has files in its own folder only',
  (id) => expect(fileNameOf(id)).toMatch(/^[\da-f]{16}$/),
)
