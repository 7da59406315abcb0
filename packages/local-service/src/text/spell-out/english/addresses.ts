import { type Rule, setOf } from '../word.ts'
import { spaced } from './numbers.ts'
import { unitNames } from './unit-names.ts'

/** Addresses and names of machines: e-mail, web, IP and MAC addresses, versions, files, `binary_sensor.front_door`. */
export const addressRule: Rule = (text) =>
  spellHost(text) ??
  spellVersion(text) ??
  spellUrl(text) ??
  spellEmail(text) ??
  spellIdentifier(text)

function spellHost(text: string): string | undefined {
  if (/^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/i.test(text)) {
    return text.toUpperCase().split(/[:-]/).map(spaced).join(', ')
  }
  const [, address = '', port, mask] =
    /^(\d{1,3}(?:\.\d{1,3}){3})(?::(\d{1,5}))?(?:\/(\d{1,2}))?$/.exec(text) ?? []
  if (address === '') return undefined
  return address.replaceAll('.', ' dot ') + spellPort(port) + (mask ? ` slash ${mask}` : '')
}

function spellPort(port: string | undefined): string {
  return port ? ` port ${spaced(port)}` : ''
}

function spellVersion(text: string): string | undefined {
  const [, mark, numbers] = /^(v|V(?=\d{1,4}\.))?(\d{1,4}(?:\.\d{1,8}){0,4})$/.exec(text) ?? []
  if (!numbers || (!mark && numbers.split('.').length < 3)) return undefined
  return (mark ? 'version ' : '') + numbers.replaceAll('.', ' point ')
}

const scheme = /^(?:https?|wss?|ftp|mqtts?|rtsp|file):\/\//i

/** The name of the server and the path. The rest of a URL is for machines. */
function spellUrl(text: string): string | undefined {
  const isUrl = scheme.test(text)
  if (!isUrl && !/^www\./i.test(text) && !/^[\w-]+(?:\.[\w-]+)+(?::\d{1,5})?\/[\w./-]*$/.test(text))
    return undefined
  const [, host = '', port, path = ''] =
    /^(?:[^@/]*@)?([^/:?#]*)(?::(\d{1,5}))?([^?#]*)/.exec(text.replace(scheme, '')) ?? []
  const spokenHost = spellHost(host) ?? spellDots(host)
  const folders = path.split('/').filter((folder) => folder !== '')
  return (
    spokenHost + spellPort(port) + folders.map((folder) => ` slash ${spellDots(folder)}`).join('')
  )
}

function spellEmail(text: string): string | undefined {
  const [user = '', host = '', more] = text.split('@')
  if (host === '' || more !== undefined) return undefined
  return user === '' ? `at ${spellName(host)}` : `${spellDots(user)} at ${spellDots(host)}`
}

/** Words with dots, underscores or capital letters inside: "notes.txt", "light.kitchen", "sensor_2", "livingRoom". */
function spellIdentifier(text: string): string | undefined {
  if (/^#[A-Za-z]\w*$/.test(text)) return `hashtag ${spellName(text.slice(1))}`
  if (/^[A-Za-z][\w-]+(?:\.[a-z][\w-]+)+$/.test(text)) return spellDots(text)
  // A space is missing after a full stop.
  if (/^[A-Za-z]{2,}\.[A-Z][a-z]+$/.test(text)) return text.replace('.', '. ')
  // "mmHg"
  if (unitNames.has(text)) return undefined
  const isName = /^[A-Za-z]\w*$/.test(text) && /_|[a-z]{2}[A-Z][A-Za-z]/.test(text)
  return isName ? spellName(text) : undefined
}

function spellDots(text: string): string {
  return text.split('.').map(spellPart).join(' dot ')
}

function spellPart(part: string): string {
  const marked = part.replaceAll('-', ' dash ').replaceAll('+', ' plus ').replaceAll('%20', ' ')
  return isCountry(part) ? spaced(part.toUpperCase()) : spellName(marked)
}

const countries = setOf('at au be ca ch cz de dk es eu fr ie it jp nl nz pl pt se uk us io ai tv')

function isCountry(part: string): boolean {
  return countries.has(part)
}

/** @returns the name with spaces between its words. */
function spellName(name: string): string {
  return name.replaceAll('_', ' ').replace(/([a-z]{2})(?=[A-Z])/g, '$1 ')
}
