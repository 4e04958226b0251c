import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHOICES } from '../../bench/capacity/choices.ts';
import { type Choices, type Measured, planCapacity, predictCalls } from '../../bench/capacity/model.ts';

const SMALL = { name: 'small', cores: 2, bytes: 4e9, dollarsPerHour: 0.1 };
const LARGE = { name: 'large', cores: 8, bytes: 16e9, dollarsPerHour: 0.4 };

/** Round figures, so that the results can be worked out by hand. */
const MEASURED: Measured = {
  cpuUsPerCall: 250,
  baseBytes: 300e6,
  threadBytes: 100e6,
  indexBytes: 100e6,
  responseBytes: 5000,
  limitUs: 10,
  keyCheckUs: 1,
  addressBytes: 500,
};

const ASSUMED: Choices = {
  utilisation: 0.5,
  machines: [SMALL, LARGE],
  maxReplicas: 50,
  redisMachine: { name: 'redis', cores: 2, bytes: 16e9, dollarsPerHour: 0.2 },
  nodesPerShard: 2,
  callsPerAddressAndMinute: 10,
  addressesPerReplica: 100_000,
  wireShare: 1,
  balancerDollarsPerGigabyte: 0.01,
  trafficTiers: [
    { upToGigabytes: 7300, dollarsPerGigabyte: 0.1 },
    { upToGigabytes: 1e9, dollarsPerGigabyte: 0.05 },
  ],
};

test('known inputs give a known plan', () => {
  const { dollarsPerHour, fullness, ...plan } = planCapacity(10_000, MEASURED, ASSUMED);
  assert.deepEqual(plan, {
    machine: SMALL,
    replicas: 4, // 2.5 cores are busy, so 5 are needed: 3 machines, and one that may fail
    threads: 2,
    replicaBytes: 600e6, // the second index during a reload included
    cells: 1,
    shards: 1, // 100 ms of a second for limits, 10 for keys
    bitsPerSecond: 400e6,
    indexDownloadBytes: 400e6,
  });
  // 180 GB an hour, 131,400 a month: 10 an hour cost 0.1, the others 0.05, and all 0.01 for the balancer
  assert.deepEqual(rounded(dollarsPerHour), { replicas: 0.4, redis: 0.4, traffic: 1 + 8.5 + 1.8 });
  assert.deepEqual(rounded(fullness), {
    processors: 0.3125,
    memory: 0.15,
    addresses: 0.15,
    keys: 0.11,
    redisMemory: 0.0019,
  });
});

test('large machines are taken when there would be too many small ones', () => {
  const plan = planCapacity(100_000, MEASURED, ASSUMED);
  assert.deepEqual([plan.machine.name, plan.replicas, plan.threads], ['small', 26, 2]);
  const larger = planCapacity(1_000_000, MEASURED, ASSUMED);
  assert.deepEqual([larger.machine.name, larger.replicas, larger.threads], ['large', 64, 8]);
});

test('replicas are added for the counters of addresses, too', () => {
  const plan = planCapacity(10_000, MEASURED, { ...ASSUMED, callsPerAddressAndMinute: 1 });
  assert.equal(plan.replicas, 7); // 600,000 addresses
});

test('Redis gets shards for the limits, and cells when keys take half of their shard', () => {
  const shape = (calls: number, more: Partial<Measured> = {}) => {
    const { cells, shards } = planCapacity(calls, { ...MEASURED, ...more }, ASSUMED);
    return [cells, shards];
  };
  assert.deepEqual(shape(40_000), [1, 1]);
  assert.deepEqual(shape(50_000), [1, 3], 'a cluster has at least three masters');
  assert.deepEqual(shape(300_000), [2, 5], 'the keys take 300 of 500 ms of a shard, so two cells have 150');
  for (const calls of [1000, 20_000, 77_000, 460_000, 2_000_000]) {
    const { fullness, shards } = planCapacity(calls, MEASURED, ASSUMED);
    assert.ok(fullness.keys <= 0.5 && shards <= 32, `${calls}: ${fullness.keys}`);
  }
  assert.deepEqual(shape(10_000, { addressBytes: 200_000 }), [1, 3], 'memory counts as well');
});

test('replicas on one machine are predicted to answer in proportion until it has no more time', () => {
  assert.deepEqual(
    [1, 2, 4].map((replicas) => predictCalls(replicas, 4, 250, 400)),
    [4000, 8000, 10_000],
  );
});

test('impossible inputs are refused by name', () => {
  const cases: [RegExp, number, Partial<Measured>, Partial<Choices>][] = [
    [/^callsPerSecond must be above 0, got 0$/, 0, {}, {}],
    [/^callsPerSecond must be above 0, got NaN$/, Number.NaN, {}, {}],
    [/^cpuUsPerCall must be above 0, got Infinity$/, 1, { cpuUsPerCall: Number.POSITIVE_INFINITY }, {}],
    [/^threadBytes must be above 0, got -1$/, 1, { threadBytes: -1 }, {}],
    [/^utilisation must be at most 1, got 60$/, 1, {}, { utilisation: 60 }],
    [/^machines: must name at least one type of machine$/, 1, {}, { machines: [] }],
    [/^small: cores must be above 0, got 0$/, 1, {}, { machines: [{ ...SMALL, cores: 0 }] }],
    [/^small: has 4000000000 bytes, and a replica needs 100000500000000$/, 1, { baseBytes: 1e14 + 2e8 }, {}],
    [
      /^trafficTiers: end at 10 GB, and a month has \d+ GB$/,
      1000,
      {},
      { trafficTiers: [{ upToGigabytes: 10, dollarsPerGigabyte: 1 }] },
    ],
  ];
  for (const [message, calls, measured, choices] of cases) {
    assert.throws(() => planCapacity(calls, { ...MEASURED, ...measured }, { ...ASSUMED, ...choices }), { message });
  }
});

test('the published choices are possible', () => {
  for (const calls of [1, 1_000_000]) assert.ok(planCapacity(calls, MEASURED, CHOICES).replicas >= 2);
});

function rounded(figures: Readonly<Record<string, number>>) {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value.toFixed(4))]));
}
