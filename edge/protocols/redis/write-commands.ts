/** Commands that redis flags `write`, with those of its versions to come that change a value: `-READONLY` for each. */
const NAMES = `
append bitfield bitop blmove blmpop blpop brpop brpoplpush bzmpop bzpopmax bzpopmin copy decr decrby del delex expire
expireat flushall flushdb geoadd georadius georadiusbymember geosearchstore getdel getex getset hdel hexpire hexpireat
hgetdel hgetex hincrby hincrbyfloat hmset hpersist hpexpire hpexpireat hset hsetex hsetnx incr incrby incrbyfloat linsert
lmove lmpop lpop lpush lpushx lrem lset ltrim migrate move mset msetex msetnx persist pexpire pexpireat pfadd pfdebug
pfmerge psetex rename renamenx restore restore-asking rpop rpoplpush rpush rpushx sadd sdiffstore set setbit setex setnx
setrange sflush sinterstore smove sort spop srem sunionstore swapdb unlink vadd vrem vsetattr xack xackdel xadd xautoclaim
xclaim xdel xdelex xreadgroup xsetid xtrim zadd zdiffstore zincrby zinterstore zmpop zpopmax zpopmin zrangestore zrem
zremrangebylex zremrangebyrank zremrangebyscore zunionstore
`

export const WRITES: ReadonlySet<string> = new Set(NAMES.trim().split(/\s+/))

/** Commands that write with some of their subcommands. */
export const PARTLY_WRITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['function', ['delete', 'flush', 'load', 'restore']],
  ['xgroup', ['create', 'createconsumer', 'delconsumer', 'destroy', 'setid']],
])
