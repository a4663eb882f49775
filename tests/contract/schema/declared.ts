/**
 * The columns of row types, read from the source text: types are gone at run time. It knows the forms that our row types
 * use, follows names into the file that exports them, and throws for every other form.
 */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'

export type Generated = 'no' | 'by default' | 'always'
/** `type`: the type's class, such as `string`, `number[]` or `null | string`; literals count as their class. */
export type Column = { type: string; generated: Generated }
export type Columns = Record<string, Column>

type Program = ReturnType<typeof parseSync>['program']
type Statement = Program['body'][number]
type Alias = Extract<Statement, { type: 'TSTypeAliasDeclaration' }>
type Node = Alias['typeAnnotation']
type Reference = Extract<Node, { type: 'TSTypeReference' }>
/** A part of a type, and the file that its names belong to. */
type Part = { node: Node; file: string }

const KEYWORDS: Partial<Record<Node['type'], string>> = {
  TSStringKeyword: 'string',
  TSNumberKeyword: 'number',
  TSBooleanKeyword: 'boolean',
  TSNullKeyword: 'null',
  TSUnknownKeyword: 'unknown',
}
const CLASSES = new Set(['Date', 'Buffer'])

const programs = new Map<string, Program>()
function programOf(file: string): Program {
  const known = programs.get(file)
  if (known !== undefined) return known
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  programs.set(file, program)
  return program
}

const declarationIn = (statement: Statement): Statement =>
  statement.type === 'ExportNamedDeclaration' && statement.declaration !== null ? statement.declaration : statement

/** The declaration of a type that a file declares or imports. */
function declared(name: string, file: string): Part {
  for (const statement of programOf(file).body) {
    const declaration = declarationIn(statement)
    if (declaration.type === 'TSTypeAliasDeclaration' && declaration.id.name === name)
      return { node: declaration.typeAnnotation, file }
    if (statement.type !== 'ImportDeclaration' || !statement.source.value.startsWith('.')) continue
    if (statement.specifiers.some(({ local }) => local.name === name))
      return declared(name, join(dirname(file), statement.source.value))
  }
  throw new Error(`${file} declares no type ${name}`)
}

const nameOf = ({ typeName }: Reference): string => (typeName.type === 'Identifier' ? typeName.name : '')
const argumentsOf = ({ typeArguments }: Reference): Node[] => typeArguments?.params ?? []

/** The literals of a union of texts, as in `Pick<Row, 'a' | 'b'>`. */
function literals(node: Node): string[] {
  if (node.type === 'TSUnionType') return node.types.flatMap(literals)
  if (node.type === 'TSLiteralType' && node.literal.type === 'Literal') return [String(node.literal.value)]
  throw new Error(`a name is expected where there is ${node.type}`)
}

/** The properties of an object type. */
export function propertiesOf({ node, file }: Part): Map<string, Part> {
  if (node.type === 'TSIntersectionType')
    return new Map(node.types.flatMap((type) => [...propertiesOf({ node: type, file })]))
  if (node.type === 'TSTypeLiteral') return new Map(node.members.map((member) => propertyOf(member, file)))
  if (node.type !== 'TSTypeReference') throw new Error(`${file}: ${node.type} has no columns`)
  const [of, names] = argumentsOf(node)
  if (of === undefined || names === undefined) return propertiesOf(declared(nameOf(node), file))
  const chosen = new Set(literals(names))
  const all = [...propertiesOf({ node: of, file })]
  if (nameOf(node) === 'Pick') return new Map(all.filter(([name]) => chosen.has(name)))
  if (nameOf(node) === 'Omit') return new Map(all.filter(([name]) => !chosen.has(name)))
  throw new Error(`${file}: ${nameOf(node)}<...> is not known here`)
}

type Member = Extract<Node, { type: 'TSTypeLiteral' }>['members'][number]
function propertyOf(member: Member, file: string): [string, Part] {
  if (member.type !== 'TSPropertySignature' || member.typeAnnotation === null || member.optional)
    throw new Error(`${file}: a column is a property that is always there`)
  const { key } = member
  const name = key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : ''
  return [name, { node: member.typeAnnotation.typeAnnotation, file }]
}

function classOf({ node, file }: Part): string {
  const of = (inner: Node): string => classOf({ node: inner, file })
  const keyword = KEYWORDS[node.type]
  if (keyword !== undefined) return keyword
  if (node.type === 'TSParenthesizedType') return of(node.typeAnnotation)
  if (node.type === 'TSUnionType')
    return [...new Set(node.types.flatMap((type) => of(type).split(' | ')))].sort().join(' | ')
  if (node.type === 'TSArrayType') return arrayOf(of(node.elementType))
  if (node.type === 'TSLiteralType' && node.literal.type === 'Literal') return typeof node.literal.value
  if (node.type === 'TSTypeReference') {
    const name = nameOf(node)
    if (CLASSES.has(name)) return name
    if (name === 'Record') return `Record<${argumentsOf(node).map(of).join(', ')}>`
    return classOf(declared(name, file))
  }
  throw new Error(`${file}: ${node.type} is not known here`)
}

/** The class of a list of values of this class. */
export const arrayOf = (type: string): string => (type.includes(' | ') ? `(${type})[]` : `${type}[]`)

const GENERATED: Record<string, Generated> = { Generated: 'by default', GeneratedAlways: 'always' }

function columnOf({ node, file }: Part): Column {
  const generated = node.type === 'TSTypeReference' ? GENERATED[nameOf(node)] : undefined
  if (generated === undefined) return { type: classOf({ node, file }), generated: 'no' }
  return { type: classOf({ node: argumentsOf(node as Reference)[0]!, file }), generated }
}

const columnsIn = (part: Part): Columns =>
  Object.fromEntries([...propertiesOf(part)].map(([name, of]) => [name, columnOf(of)]))

/** The columns of a row type that `file` declares. */
export const columnsOf = (file: string, name: string): Columns => columnsIn(declared(name, file))

/** The tables of a type of tables that `file` declares, each with its columns. */
export const tablesOf = (file: string, name: string): Record<string, Columns> =>
  Object.fromEntries([...propertiesOf(declared(name, file))].map(([table, of]) => [table, columnsIn(of)]))
