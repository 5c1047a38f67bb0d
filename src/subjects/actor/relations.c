/* relations.c: what a strategy asks to know which steps could have been in another order: the numbers of messages, and
 * the objects that steps touched. Both are given out once and mean the same in all executions of a run. */
#include <stdio.h>
#include <string.h>

#include <xxhash.h>

#include "base/alloc.h"
#include "subjects/actor/inside.h"
#include "subjects/actor/processes.h"
#include "subjects/actor/relations.h"

/* ---- Messages --------------------------------------------------------------------------------------------------- */

uint32_t eo__message_number(eo_actor *actor, uint32_t from, uint32_t nth) {
  eo_known *known = &actor->known.items[from];
  while (known->messages.count < nth) {
    if (!eo_vec_reserve(&actor->senders, 1) || !eo_vec_reserve(&actor->letters, 1) ||
        !eo_vec_push(&known->messages, (uint32_t)actor->senders.count + 1)) {
      eo__actor_nomem(actor);
      return 0;
    }
    actor->senders.items[actor->senders.count++] = (eo_sender){from, (uint32_t)known->messages.count};
    actor->letters.items[actor->letters.count++] = (eo_letter){.to = EO_NO_PROCESS};
  }
  return known->messages.items[nth - 1];
}

uint32_t eo__message_after(const eo_actor *actor, uint32_t number) {
  const eo_sender *sender = &actor->senders.items[number - 1];
  const uint32_t *numbers = actor->known.items[sender->from].messages.items;
  uint32_t nth = sender->nth + 1;
  while (actor->letters.items[numbers[nth - 1] - 1].apart) nth++;
  return numbers[nth - 1];
}

eo_sent eo__actor_sent(eo_subject *subject, uint32_t number) {
  const eo_actor *actor = eo__actor_of(subject);
  EO_CHECK(number > 0 && number <= actor->senders.count);
  const eo_sender *sender = &actor->senders.items[number - 1];
  const eo_letter *letter = &actor->letters.items[number - 1];
  return (eo_sent){number, sender->from, letter->to, sender->nth, letter->apart};
}

uint32_t eo__actor_message(eo_subject *subject, uint32_t from, uint32_t nth) {
  return eo__message_number(eo__actor_of(subject), from, nth);
}

/* ---- Objects ---------------------------------------------------------------------------------------------------- */

static uint32_t *bucket_of(eo_actor *actor, const eo_object *object) {
  uint32_t words[3] = {object->kind, object->a, object->b};
  uint64_t hash = object->text ? XXH3_64bits(object->text, strlen(object->text)) : XXH3_64bits(words, sizeof words);
  return &actor->buckets[hash & (actor->bucket_count - 1)];
}

static bool grow_buckets(eo_actor *actor) {
  size_t count = actor->bucket_count ? 2 * actor->bucket_count : 256;
  uint32_t *buckets = eo__alloc(count * sizeof *buckets);
  if (!buckets) return false;
  eo__free(actor->buckets);
  actor->buckets = buckets;
  actor->bucket_count = count;
  for (uint32_t i = 0; i < actor->objects.count; i++) {
    uint32_t *bucket = bucket_of(actor, &actor->objects.items[i]);
    actor->objects.items[i].next = *bucket;
    *bucket = i + 1;
  }
  return true;
}

static bool same_object(const eo_object *x, const eo_object *y) {
  if (x->kind != y->kind) return false;
  return x->text ? strcmp(x->text, y->text) == 0 : x->a == y->a && x->b == y->b;
}

/* The number of this object, which is made known if it is not; UINT32_MAX: no memory. */
static uint32_t object_number(eo_actor *actor, eo_object object) {
  if (actor->objects.count >= actor->bucket_count && !grow_buckets(actor)) {
    eo__actor_nomem(actor);
    return UINT32_MAX;
  }
  uint32_t *bucket = bucket_of(actor, &object);
  for (uint32_t at = *bucket; at; at = actor->objects.items[at - 1].next)
    if (same_object(&actor->objects.items[at - 1], &object)) return at - 1;
  object.next = *bucket;
  bool good = !object.text || (object.text = eo__strdup(object.text));
  if (!good || !eo_vec_push(&actor->objects, object)) {
    eo__free(object.text);
    eo__actor_nomem(actor);
    return UINT32_MAX;
  }
  *bucket = (uint32_t)actor->objects.count;
  return *bucket - 1;
}

static void touch(eo_actor *actor, eo_object object, bool writes) {
  uint32_t number = object_number(actor, object);
  if (number == UINT32_MAX || !eo_vec_push(&actor->touches, ((eo_touch){number, writes}))) eo__actor_nomem(actor);
}

uint32_t eo__object_own(eo_actor *actor, eo_object_kind kind, uint32_t process) {
  uint32_t number = object_number(actor, (eo_object){.kind = kind, .a = process}) + 1; /* 0: no memory */
  return actor->known.items[process].objects[kind] = number;
}

void eo__touch_pair(eo_actor *actor, eo_object_kind kind, uint32_t a, uint32_t b, bool writes) {
  touch(actor, (eo_object){.kind = kind, .a = a < b ? a : b, .b = a < b ? b : a}, writes);
}

void eo__touch_name(eo_actor *actor, const char *name, bool writes) {
  touch(actor, (eo_object){.kind = EO_OBJECT_NAME, .text = (char *)(uintptr_t)name}, writes);
}

uint32_t eo__actor_touched(eo_subject *subject, const eo_touch **touches) {
  const eo_actor *actor = eo__actor_of(subject);
  *touches = actor->touches.items;
  return (uint32_t)actor->touches.count;
}

uint32_t eo__actor_doomed(eo_subject *subject, const uint32_t **processes) {
  const eo_actor *actor = eo__actor_of(subject);
  *processes = actor->doomed.items;
  return (uint32_t)actor->doomed.count;
}

/* Its kind, the two processes, the text. */
void eo__actor_object_name(eo_subject *subject, uint32_t object, char *out, size_t size) {
  eo_actor *actor = eo__actor_of(subject);
  const eo_object *o = &actor->objects.items[object];
  if (o->text)
    snprintf(out, size, "%d %s", (int)o->kind, o->text);
  else
    snprintf(out, size, "%d %s %s", (int)o->kind, eo__actor_name(actor, o->a), eo__actor_name(actor, o->b));
}

uint32_t eo__actor_object(eo_subject *subject, const char *name) {
  eo_actor *actor = eo__actor_of(subject);
  char first[EO_PROCESS_NAME] = "", second[EO_PROCESS_NAME] = "", text[64] = "";
  int kind;
  if (sscanf(name, "%d %63[^\n]", &kind, text) == 2 && kind == EO_OBJECT_NAME)
    return object_number(actor, (eo_object){.kind = EO_OBJECT_NAME, .text = text});
  if (sscanf(name, "%d %127s %127s", &kind, first, second) != 3 || kind < 0 || kind > EO_OBJECT_SEEN) return UINT32_MAX;
  uint32_t a = eo__actor_known(actor, first), b = eo__actor_known(actor, second);
  if (a == EO_NO_PROCESS || b == EO_NO_PROCESS) return UINT32_MAX;
  if (kind < EO_OBJECT_NAME) return eo__object_own(actor, (eo_object_kind)kind, a) - 1;
  return object_number(actor, (eo_object){.kind = (eo_object_kind)kind, .a = a < b ? a : b, .b = a < b ? b : a});
}

const eo_foregone *eo__actor_foregone(eo_subject *subject, uint32_t process) {
  return eo__actor_of(subject)->by_number.items[process]->foregone;
}

void eo__relations_release(eo_actor *actor) {
  for (size_t i = 0; i < actor->objects.count; i++) eo__free(actor->objects.items[i].text);
  eo_vec_release(&actor->objects);
  eo__free(actor->buckets);
  eo_vec_release(&actor->senders);
  eo_vec_release(&actor->letters);
  eo_vec_release(&actor->touches);
  eo_vec_release(&actor->doomed);
  eo_vec_release(&actor->begun);
  eo__effects_release(&actor->effects);
  eo__foresee_release(actor);
  eo_vec_release(&actor->hints);
  eo_vec_release(&actor->scratch);
}
