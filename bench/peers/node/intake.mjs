// Up to a thousand claims in one transaction, in bulk; a known external id changes nothing, and a retry with the same
// idempotency key gets the stored answer.
import { createHash } from "node:crypto";
import { deflateSync, inflateSync } from "node:zlib";
import { newId, pool, query } from "./desk.mjs";
import * as sql from "./sql.mjs";

const isId = (value) => typeof value === "string" && /^[0-9a-f]{24}$/.test(value);
const isText = (value, most) => typeof value === "string" && value.length <= most && value.trim() !== "";
const RULES = {
  externalId: (value) => isText(value, 200),
  user: isId,
  purchase: isId,
  amount: (value) => Number.isFinite(value) && value > 0 && value < 1e13 && Number.isInteger(toPaise(value)),
  accountNo: (value) => typeof value === "string" && /^[0-9]{9,18}$/.test(value),
  ifsc: (value) => typeof value === "string" && /^[A-Z]{4}0[A-Z0-9]{6}$/.test(value),
  address: (value) => isText(value, 300),
};
const NAMES = Object.keys(RULES);
const toPaise = (rupees) => Math.round(rupees * 1e4) / 100;

// What is wrong with the rows, or null.
export function checkRows(rows) {
  if (!Array.isArray(rows) || rows.length > 1000) return { body: "must be an array of at most 1,000 rows" };
  for (const [index, row] of rows.entries()) {
    for (const name of NAMES) if (!RULES[name](row?.[name])) return { [`${index}.${name}`]: "is not valid" };
    for (const name in row) if (!(name in RULES)) return { [`${index}.${name}`]: "is unknown" };
  }
  return null;
}

const isSame = (row, stored) =>
  row.user === stored.user_id &&
  row.purchase === stored.purchase_id &&
  toPaise(row.amount) === stored.paise &&
  row.accountNo === stored.account_no &&
  row.ifsc === stored.ifsc &&
  row.address === stored.address;

// The JSON of the answer.
export async function takeIn(admin, address, key, body, rows) {
  const askedHash = createHash("sha256").update(body).digest();
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const [answered] = await query(sql.FIND_ANSWER, [key], client);
    if (answered) {
      await client.query("COMMIT");
      if (!answered.asked_hash.equals(askedHash)) throw new Error("the key was used for another call");
      return inflateSync(answered.answer);
    }
    const found = await query(sql.KNOWN, [rows.map((row) => row.externalId)], client);
    const known = new Map(found.map((one) => [one.external_id, one]));
    const clients = new Set((await query(sql.CLIENTS, [[...new Set(rows.map((row) => row.user))]], client)).map((one) => one.id));
    const bought = await query(sql.OWNERS, [[...new Set(rows.map((row) => row.purchase))]], client);
    const owners = new Map(bought.map((one) => [one.id, one.user_id]));
    const created = [];
    const results = rows.map((row, index) => {
      const result = { index, outcome: "unchanged", _id: null, externalId: row.externalId };
      if (!clients.has(row.user) || owners.get(row.purchase) !== row.user) return { ...result, outcome: "invalid" };
      const stored = known.get(row.externalId);
      if (stored) {
        const outcome = isSame(row, stored) ? "unchanged" : "conflict";
        return { ...result, outcome, _id: stored.id, number: `C-${stored.number}` };
      }
      const id = newId();
      created.push({ ...row, id, paise: toPaise(row.amount) });
      return { ...result, outcome: "created", _id: id };
    });
    const sent = JSON.stringify(created);
    const numbers = new Map((await query(sql.ADD, [sent], client)).map((one) => [one.id, one.number]));
    for (const result of results) if (numbers.has(result._id)) result.number = `C-${numbers.get(result._id)}`;
    await query(sql.RECORD_ALL, [admin.username, address, sent], client);
    const answer = JSON.stringify({ results });
    await query(sql.STORE_ANSWER, [key, askedHash, deflateSync(answer, { level: 1 })], client);
    await client.query("COMMIT");
    return answer;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
