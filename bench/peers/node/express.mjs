import express from "express";
import { findAdmin, listClaims, moveClaim } from "./desk.mjs";
import { checkRows, takeIn } from "./intake.mjs";

const app = express();
app.disable("x-powered-by");
// No ETag: it hashes every answer, and no client here revalidates one.
app.disable("etag");

app.use(async (request, response, next) => {
  request.admin = await findAdmin(request.headers.authorization);
  if (request.admin) next();
  else response.status(401).json({ code: "session_required" });
});

app.get("/claims", async (request, response) => {
  response.json(await listClaims(request.query));
});

app.put("/claims/:id/status", express.json(), async (request, response) => {
  const claim = await moveClaim(request.admin, request.socket.remoteAddress, request.params.id, request.body.status);
  if (claim) response.json(claim);
  else response.status(409).json({ code: "claim_cannot_move" });
});

const keepBody = (request, _response, body) => {
  request.rawBody = body;
};
app.post("/claims/intake", express.json({ limit: "2mb", verify: keepBody }), async (request, response) => {
  const key = request.get("Idempotency-Key");
  const fields = key ? checkRows(request.body) : { "Idempotency-Key": "is required" };
  if (fields) return response.status(422).json({ code: "invalid_input", fields });
  const answer = await takeIn(request.admin, request.socket.remoteAddress, key, request.rawBody, request.body);
  return response.type("json").send(answer);
});

app.listen(Number(process.env.PORT), "127.0.0.1");
