/** Ends of users and customers on the whole platform, from the request to what is left of them. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { ADDRESS } from '../../builders/accounts/team.ts'
import { newUserOf, type User } from '../../builders/accounts/users.ts'
import { metricsOf } from '../../builders/platform/metrics.ts'
import { ADMINISTRATOR, eventually, type Platform } from '../../builders/platform/platform.ts'

const BILLING = '/api/billing/v1'
const COMPUTE = '/api/compute/v1/instances'
const CASES = '/api/casework/v1/cases'

/** A platform on which a step of an instance takes 50 ms. */
export const endsOfAccounts = (running: () => Platform) =>
  describe('ends of users and customers', () => {
    let platform: Platform
    beforeAll(() => {
      platform = running()
    })

    const ask = (method: string, path: string, as: Record<string, string>, body?: unknown) =>
      fetch(platform.url + path, {
        method,
        headers: { ...as, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
    const status = async (...given: Parameters<typeof ask>) => (await ask(...given)).status

    const somebody = () => newUserOf(platform, { roles: ['user'], groups: ['public'] })

    /** A paying customer with an owner and a member, an instance and a case of each. */
    async function customer() {
      const [owner, member] = [await somebody(), await somebody()]
      const acme = { name: 'Acme', email: 'billing@example.com', billingAddress: ADDRESS }
      const made = await platform.ask(`${BILLING}/customer`, acme, owner.headers)
      expect(made.status).toBe(201)
      const id = made.body.customerID as string
      const pays = { tier: 'Pro', quantity: 1 }
      expect(await status('PUT', `${BILLING}/admin/customer/${id}/subscription`, ADMINISTRATOR, pays)).toBe(204)
      const invited = { userID: member.id, role: 'user' }
      expect(await status('POST', `${BILLING}/customer/member`, owner.headers, invited)).toBe(201)
      expect(await status('POST', `${BILLING}/customer/accept`, member.headers, { customerID: id })).toBe(204)
      for (const one of [owner, member]) {
        expect(await status('POST', COMPUTE, one.headers, { name: 'box' })).toBe(202)
        expect(await status('POST', CASES, one.headers, { title: 'odd traffic' })).toBe(201)
      }
      return { id, owner, member }
    }

    const instances = async (as: User) =>
      (await platform.ask(COMPUTE, undefined, as.headers)).body as { userID: string; status: string }[]
    const used = async (as: User) => {
      const { body } = await platform.ask(`${BILLING}/quotas/usage`, undefined, as.headers)
      const features = Object.values(
        body.services as Record<string, { features: { featureKey: string; currentUsage: number }[] }>,
      )
      return Object.fromEntries(
        features.flatMap((service) => service.features.map((one) => [one.featureKey, one.currentUsage])),
      )
    }

    test('a member who deletes the own account takes along what was its own, and is gone the second time', async () => {
      const { owner, member } = await customer()
      expect(await used(owner)).toMatchObject({ max_instances: 2, max_cases: 2 })
      expect(await status('DELETE', '/auth/v2/user', member.headers)).toBe(204)
      expect(await status('DELETE', '/auth/v2/user', member.headers)).toBe(401)
      expect(await status('DELETE', `/auth/v2/admin/user/${member.id}`, ADMINISTRATOR)).toBe(404)
      const left = await eventually(
        () => used(owner),
        ({ max_instances: n, max_cases: cases }) => n === 1 && cases === 1,
      )
      expect(left).toMatchObject({ max_instances: 1, max_cases: 1 })
      expect((await instances(owner)).map(({ userID }) => userID)).toEqual([owner.id])
      const { body } = await platform.ask(`${BILLING}/customer/members`, undefined, owner.headers)
      expect(body).toMatchObject({ items: 1, members: [{ userID: owner.id, role: 'owner' }] })
    })

    test('an owner deletes the customer; the members stay, without one, and the second call finds none', async () => {
      const { id, owner, member } = await customer()
      expect(await status('DELETE', `${BILLING}/customer`, member.headers)).toBe(403)
      expect(await status('GET', `${BILLING}/customer`, owner.headers)).toBe(200)
      expect(await status('DELETE', `${BILLING}/customer`, owner.headers)).toBe(204)
      expect(await status('DELETE', `${BILLING}/customer`, owner.headers)).toBe(404)
      expect(await status('DELETE', `${BILLING}/admin/customer/${id}`, ADMINISTRATOR)).toBe(404)
      for (const { headers } of [owner, member]) expect(await status('GET', `${BILLING}/customer`, headers)).toBe(404)
      expect(await status('GET', COMPUTE, member.headers)).toBe(403)
      // Of the same people in a new customer, nothing is left of the old one.
      const beta = { name: 'Beta', email: 'billing@example.com', billingAddress: ADDRESS }
      expect(await status('POST', `${BILLING}/customer`, owner.headers, beta)).toBe(201)
      expect(await instances(owner)).toEqual([])
    })

    test('the deletion of the last owner by an administrator ends the customer for its members', async () => {
      const { id, owner, member } = await customer()
      expect(await status('DELETE', `/auth/v2/admin/user/${owner.id}`, ADMINISTRATOR)).toBe(204)
      expect(await status('GET', `${BILLING}/customer`, owner.headers)).toBe(401)
      await eventually(
        () => status('GET', `${BILLING}/admin/customer/${id}`, ADMINISTRATOR),
        (code) => code === 404,
      )
      expect(await status('GET', `${BILLING}/customer`, member.headers)).toBe(404)
    })

    /** What there is of a feed on the disk, as one text; null: nothing. */
    function filesOf(feed: string): string | null {
      const root = join(platform.dataDir, 'feed-files', feed)
      if (!existsSync(root)) return null
      const entries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      return entries.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8')).join('\n')
    }

    /** A feed of a caller whose list is a file with one value, which the caller alone reads; its id. */
    async function listed(as: User, value: string, group: string): Promise<string> {
      const selector = { value: { in: [value] } }
      const made = await platform.ask('/api/feeds/v1/feeds', { name: value, selector, groups: [group] }, as.headers)
      expect(made.status).toBe(201)
      const items = `/api/feeds/v1/feeds/${made.body.id}/items.text`
      await eventually(
        () => fetch(platform.url + items, { headers: as.headers }).then((answer) => answer.text()),
        (text) => text.includes(value),
      )
      expect(filesOf(made.body.id)).toContain(value)
      return made.body.id
    }

    test('the lists of a customer and of a user go from the disk with them', async () => {
      const roles = ['user', 'reporter']
      const owner = await newUserOf(platform, { roles, groups: ['public'] })
      const alone = await newUserOf(platform, { roles, groups: ['public', 'alone'] })
      const beta = { name: 'Beta', email: 'billing@example.com', billingAddress: ADDRESS }
      const { body: customer } = await platform.ask(`${BILLING}/customer`, beta, owner.headers)
      const team = `customer-${customer.customerID}`
      const report = (as: User, domain: string, group: string) =>
        platform.ask(
          '/api/ingest/v1/entity',
          { type: 'domain', attributes: { domain }, reputation: -3, visibleBy: [group] },
          as.headers,
        )
      expect((await report(owner, 'secret-of-team.example.com', team)).status).toBe(202)
      expect((await report(alone, 'secret-of-one.example.com', 'alone')).status).toBe(202)
      const ofTeam = await listed(owner, 'secret-of-team.example.com', team)
      const ofOne = await listed(alone, 'secret-of-one.example.com', 'alone')

      expect(await status('DELETE', `${BILLING}/customer`, owner.headers)).toBe(204)
      await eventually(
        async () => filesOf(ofTeam),
        (left) => left === null,
      )
      expect(filesOf(ofOne)).toContain('secret-of-one.example.com')
      expect(await status('DELETE', '/auth/v2/user', alone.headers)).toBe(204)
      await eventually(
        async () => filesOf(ofOne),
        (left) => left === null,
      )
    })

    test('a disabled user has its running instances stopped and keeps them', async () => {
      const { owner, member } = await customer()
      const mine = async () =>
        (await instances(owner)).filter(({ userID }) => userID === member.id).map((one) => one.status)
      await eventually(mine, ([state]) => state === 'RUNNING')
      expect(await status('PUT', `/auth/v2/admin/user/${member.id}`, ADMINISTRATOR, { disabled: true })).toBe(200)
      expect(await eventually(mine, ([state]) => state === 'STOPPED')).toEqual(['STOPPED'])
      expect((await instances(owner)).find(({ userID }) => userID === owner.id)?.status).toBe('RUNNING')
    })

    test('a cancelled subscription takes every instance and no casework', async () => {
      const { id, owner } = await customer()
      expect(await status('DELETE', `${BILLING}/admin/customer/${id}/subscription`, ADMINISTRATOR)).toBe(204)
      await eventually(
        () => instances(owner),
        (all) => all.length === 0,
      )
      expect((await platform.ask(CASES, undefined, owner.headers)).body).toHaveLength(1)
    })

    test('a reconciliation finds nothing that was left behind, and the events are told of in the metrics', async () => {
      const body = { dryRun: true }
      const report = (await platform.ask(`${BILLING}/admin/reconcile`, body)).body as Record<string, { found: number }>
      expect(Object.values(report).map(({ found }) => found)).toEqual([0, 0, 0, 0, 0, 0])
      const metrics = await metricsOf(platform.url)
      expect(metrics).toMatch(/^harrier_lifecycle_events_total\{handler="billing",outcome="applied"\} [1-9]/m)
      expect(metrics).toMatch(/^harrier_lifecycle_waiting 0$/m)
    })
  })
