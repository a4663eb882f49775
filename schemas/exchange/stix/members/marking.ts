import { json } from '../../../feeds-out/formats/text/json.ts'
import type { StixObject } from '../item.ts'
import { objectLine } from './object-line.ts'

/**
 * The definitions of TLP 2.0 that FIRST and OASIS have fixed, ids and times included. What not everybody may read is
 * AMBER, whoever may: names of groups never leave (decisions 15.3).
 */
const EXTENSION = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d'

const definition = (id: string, name: string, level: string): StixObject => {
  const extensions = { [EXTENSION]: { extension_type: 'property-extension', tlp_2_0: level } }
  const members = json({ created: '2022-10-01T00:00:00.000Z', name, extensions })
  return { id, type: 'marking-definition', json: objectLine('marking-definition', id, members.slice(1, -1)) }
}

const CLEAR = definition('marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487', 'TLP:CLEAR', 'clear')
const AMBER = definition('marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421', 'TLP:AMBER', 'amber')

/** The definition of the marking of all that is said to these readers. */
export const markingFor = (isPublic: boolean): StixObject => (isPublic ? CLEAR : AMBER)

const markedAs = ({ id }: StixObject): string => `,"object_marking_refs":["${id}"]`
const [MARKED_CLEAR, MARKED_AMBER] = [markedAs(CLEAR), markedAs(AMBER)]

/** The member of an object that says its marking, with a comma before it. */
export const markedFor = (isPublic: boolean): string => (isPublic ? MARKED_CLEAR : MARKED_AMBER)
