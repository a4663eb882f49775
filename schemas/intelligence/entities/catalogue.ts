import catalogue from './catalogue.json' with { type: 'json' }
import { DATATYPES, type DataType, type Datatype } from './datatypes/table.ts'

/** A type of entity; also the definition that `GET definitions` answers (specification 2.4, decisions 3.7). */
export type Definition = {
  type: string
  description: string
  /** Names of the attributes that the type usually carries; any type of the catalogue may be one (decisions 3.3). */
  attributes: readonly string[]
  label: string
  dataType: DataType
}

const all: readonly Definition[] = catalogue.map(({ type, description, attributes, label, dataType }) =>
  Object.freeze({ type, description, attributes: Object.freeze(attributes), label, dataType: dataType as DataType }),
)

const byType: ReadonlyMap<string, Definition> = new Map(all.map((definition) => [definition.type, definition]))

/** Every definition, in the order of the catalogue. */
export const definitions = (): readonly Definition[] => all

export const definitionOf = (type: string): Definition | undefined => byType.get(type)

/** Properties of the datatype of a type; undefined for a type that the catalogue does not have. */
export function datatypeOf(type: string): Datatype | undefined {
  const definition = definitionOf(type)
  return definition && DATATYPES[definition.dataType]
}

/** Types of the catalogue, in its order, that have a datatype with these properties. */
export const typesWhere = (fits: (datatype: Datatype) => boolean): string[] =>
  all.filter(({ dataType }) => fits(DATATYPES[dataType])).map(({ type }) => type)
