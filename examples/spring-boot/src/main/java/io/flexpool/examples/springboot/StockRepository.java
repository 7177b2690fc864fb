// SPDX-License-Identifier: Apache-2.0
package io.flexpool.examples.springboot;

import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.query.Param;

/** The stock in the database. */
interface StockRepository extends JpaRepository<Stock, String> {
    /** Takes pieces of an article, whose row is locked until the transaction ends. */
    @Modifying
    @Query("update Stock s set s.pieces = s.pieces - :pieces where s.article = :article")
    void take(@Param("article") String article, @Param("pieces") int pieces);
}
