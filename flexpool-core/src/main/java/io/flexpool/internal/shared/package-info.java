// SPDX-License-Identifier: Apache-2.0
/**
 * Utilities that exported packages and flexpool's other modules use too: text without secrets, threads that hold no
 * application. Not API: exported to flexpool's modules only. Depends on no other package of flexpool.
 */
@NullMarked
package io.flexpool.internal.shared;

import org.jspecify.annotations.NullMarked;
