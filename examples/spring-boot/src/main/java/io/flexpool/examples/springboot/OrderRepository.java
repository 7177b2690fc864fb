// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import org.springframework.data.jpa.repository.JpaRepository;

/** The table of orders. */
interface OrderRepository extends JpaRepository<PlacedOrder, Long> {}
