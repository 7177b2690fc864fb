// SPDX-License-Identifier: Apache-2.0
/**
 * What the exported packages and flexpool's other modules use too: text without secrets, threads without an application. Not
 * API: exported to modules of flexpool alone. Knows no other package of flexpool.
 */
@NullMarked
package io.flexpool.internal.shared;

import org.jspecify.annotations.NullMarked;
