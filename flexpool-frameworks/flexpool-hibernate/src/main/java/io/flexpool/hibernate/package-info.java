// SPDX-License-Identifier: Apache-2.0
/** Wraps the pool that Hibernate creates: {@code hibernate.connection.provider_class = flexpool}. */
@NullMarked
package io.flexpool.hibernate;

import org.jspecify.annotations.NullMarked;
