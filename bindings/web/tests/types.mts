/* types.mts - a use of each class, which the compiler of types accepts, and wrong uses, which it does not.
 *
 * SPDX-License-Identifier: Zlib
 */
import { Body, Cut, init, Joint, Mask, Placed, World, type Contact, type Events } from 'pixverlet';
import { Mask as SmallMask } from 'pixverlet/mask';
import { init as initInline } from 'pixverlet/inline';

await init();
await initInline();
const world = new World({ gravity: { x: 0, y: 320 }, contactMode: 'contours' });
const mask: Mask = Mask.fromText('##\n##');
const small: number = SmallMask.createCircle(4).countPixels();
const body = new Body(world, { mask, type: 'dynamic', filter: { categoryBits: 1, maskBits: 2, groupIndex: 0 }, userData: { name: 'crate' } });
const contacts: Contact[] = body.getContacts();
const events: Events = world.getEvents();
const area: number = Placed.computeOverlapArea(body.getPlaced(), Placed.centered(mask, { x: 1, y: small }, 0));
const joint = new Joint(world, { type: 'pin', a: { body, point: { x: 0, y: 0 } }, b: { point: { x: area, y: contacts.length } } });
world.setPresolveCallback((contact) => (contact.a === body ? 'ignore' : 'collide'));
joint.setMaxForce(events.hits.length);
// @ts-expect-error
body.setType('heavy');
// @ts-expect-error
new Body(world, { mask: 'star' });
// @ts-expect-error
new Body(world, { mask, frition: 1 });
// @ts-expect-error
body.carve(Cut.circle(3, 4));
// @ts-expect-error
new Mask();
