// SPDX-License-Identifier: Apache-2.0
/** The part that finds and resets session state: roles, settings, locks, temporary tables and the like. */
@NullMarked
package io.flexpool.session;

import org.jspecify.annotations.NullMarked;
