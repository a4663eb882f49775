import { type Json, objectsOf, textOf } from '../document.ts'
import { isUsable, type Named } from '../entity.ts'
import { mapAttribute } from './attribute.ts'
import { DESCRIPTIVE, TEXT_RELATION } from './attribute-types.ts'
import { isDeleted, isYes } from './flags.ts'
import type { Mapped } from './mapped.ts'
import { isOwn } from './own-statement.ts'

/** One attribute of an event, mapped or not, with MISP's metadata about it. */
export type Claim = {
  attribute: Json
  mapped: Mapped | { reason: string }
  /** MISP's `to_ids`: good enough to detect with. */
  malicious: boolean
}

/** The entity that stands for an object; the attributes that are stated with it, and `alone` the others. */
export type ObjectReading = {
  main: (Mapped & { malicious: boolean }) | undefined
  together: Claim[]
  alone: Claim[]
}

/** Types of entity that may stand for an object, the most specific first. */
const RANK = ['url', 'hostname', 'domain', 'ip', 'cidr', 'email', 'email-address', 'regkey', 'cve', 'malware']

/** Digests that identify a file, in the order in which the catalogue's `file` prefers them. */
const FILE_KEYS = ['md5', 'sha3-256']
const DIGEST = /^(md5|sha\d)/

/**
 * Reads a MISP object: its attributes mapped, and one main entity with the others beside it. A `file` object becomes
 * the catalogue's `file`, keyed by its MD5, else its SHA3-256, else the object's own UUID.
 */
export function readObject(object: Json): ObjectReading {
  const claims = objectsOf(object.Attribute)
    .filter((attribute) => !isDeleted(attribute))
    .map((attribute) => readAttribute(attribute))
  const usable = claims.filter(isUsableClaim)
  const isFile = textOf(object.name) === 'file'
  const main = isFile ? fileOf(textOf(object.uuid), usable) : bestRanked(usable)
  const alone = claims.filter((claim) => !isStatedWith(main, claim))
  const together = claims.filter((claim) => !alone.includes(claim))
  return { main, together, alone: main === undefined ? alone.map(describingNothing) : alone }
}

export function readAttribute(attribute: Json): Claim {
  const type = textOf(attribute.type)
  const value = textOf(attribute.value)
  const relation = type === 'text' ? TEXT_RELATION.get(textOf(attribute.object_relation)) : undefined
  const mapped =
    relation === undefined
      ? mapAttribute(type, value, isOwn(textOf(attribute.comment)))
      : { type: relation, value: value.trim(), attributes: {}, beside: [] }
  return { attribute, mapped, malicious: isYes(attribute.to_ids) }
}

type Usable = Claim & { mapped: Mapped }

/** What is no value of its type stands for nothing, and is refused by itself. */
const isUsableClaim = (claim: Claim): claim is Usable => !('reason' in claim.mapped) && isUsable(claim.mapped)

function fileOf(uuid: string, claims: Usable[]): ObjectReading['main'] {
  const digests = claims.filter(({ mapped }) => DIGEST.test(mapped.type))
  const keyed = FILE_KEYS.map((type) => digests.find(({ mapped }) => mapped.type === type)).find((c) => c !== undefined)
  const key = keyed?.mapped.value ?? uuid
  if (key === '' || claims.length === 0) return undefined
  return { type: 'file', value: key, malicious: digests.some((claim) => claim.malicious), ...gather(claims) }
}

function bestRanked(claims: Usable[]): ObjectReading['main'] {
  const candidates = claims.filter(({ mapped }) => !DESCRIPTIVE.has(mapped.type))
  const rank = ({ mapped }: Usable) => (RANK.includes(mapped.type) ? RANK.indexOf(mapped.type) : RANK.length)
  const best = candidates.toSorted((a, b) => rank(a) - rank(b))[0]
  if (best === undefined) return undefined
  const { attributes, beside } = gather(claims.filter((claim) => claim !== best))
  return {
    ...best.mapped,
    malicious: best.malicious,
    attributes: { ...attributes, ...best.mapped.attributes },
    beside: [...best.mapped.beside, ...beside],
  }
}

/**
 * Descriptive attributes become attributes of the entity (the first of each type); everything else is stated
 * separately.
 */
function gather(claims: Usable[]): { attributes: Record<string, string>; beside: Named[] } {
  const attributes: Record<string, string> = {}
  const beside: Named[] = []
  for (const { mapped } of claims) {
    // Loose text ("https", "ELF64") means nothing without its relation, which the catalogue has no word for.
    if (mapped.type === 'text') continue
    const { type, value } = mapped
    const descriptive = DESCRIPTIVE.has(type)
    if (descriptive || DIGEST.test(type) || type === 'filename' || type === 'path') attributes[type] ??= value
    if (!descriptive) beside.push({ type, value }, ...mapped.beside)
  }
  return { attributes, beside }
}

/** Only what MISP would detect with needs a claim of its own: the rest is a sighting beside the main entity. */
function isStatedWith(main: ObjectReading['main'], { mapped, malicious }: Claim): boolean {
  if ('reason' in mapped || main === undefined || !isUsable(mapped)) return false
  return DESCRIPTIVE.has(mapped.type) || !malicious || (mapped.type === main.type && mapped.value === main.value)
}

/** Without a main entity, what only describes has nothing to describe. */
function describingNothing(claim: Claim): Claim {
  if ('reason' in claim.mapped || !DESCRIPTIVE.has(claim.mapped.type)) return claim
  return { ...claim, mapped: { reason: 'belongs to an object without an indicator' } }
}
