/** Times of last use that are not in the key store yet. */
import type { KeyUses } from '../../access/keys/key-store.ts';

/** Adds `uses` to `target`, which keeps the later time of each key. */
export function addUsesTo(target: Map<string, number>, uses: KeyUses): void {
  for (const [id, usedAt] of uses) target.set(id, Math.max(usedAt, target.get(id) ?? 0));
}
