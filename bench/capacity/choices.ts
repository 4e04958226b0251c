/** What the model assumes, to be replaced by your own figures. */
import type { Choices } from './model.ts';

const GIB = 2 ** 30;

/** List prices of AWS, on demand, us-east-1, as known in January 2025. Nobody has checked them since. */
export const PRICES = 'AWS list prices on demand in us-east-1, as known in January 2025';

export const CHOICES: Choices = {
  utilisation: 0.6,
  machines: [
    { name: 'c7g.large', cores: 2, bytes: 4 * GIB, dollarsPerHour: 0.0725 },
    { name: 'c7g.2xlarge', cores: 8, bytes: 16 * GIB, dollarsPerHour: 0.29 },
    { name: 'c7g.4xlarge', cores: 16, bytes: 32 * GIB, dollarsPerHour: 0.58 },
  ],
  maxReplicas: 64,
  redisMachine: { name: 'r7g.large', cores: 2, bytes: 16 * GIB, dollarsPerHour: 0.1071 },
  nodesPerShard: 2,
  callsPerAddressAndMinute: 10,
  addressesPerReplica: 116_000, // operations.md#threads-and-memory
  wireShare: 1.05, // TLS records, and TCP and IP headers
  balancerDollarsPerGigabyte: 0.006, // Network Load Balancer
  trafficTiers: [
    { upToGigabytes: 10_240, dollarsPerGigabyte: 0.09 },
    { upToGigabytes: 51_200, dollarsPerGigabyte: 0.085 },
    { upToGigabytes: 153_600, dollarsPerGigabyte: 0.07 },
    { upToGigabytes: Number.MAX_SAFE_INTEGER, dollarsPerGigabyte: 0.05 },
  ],
};
