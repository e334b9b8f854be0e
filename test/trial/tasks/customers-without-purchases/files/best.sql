-- Every customer with the cents of all purchases that were not refunded, the most first, then by name.
SELECT customer.name, SUM(purchase.cents) AS cents
FROM customer
JOIN purchase ON purchase.customer = customer.id
WHERE purchase.refunded = 0
GROUP BY customer.name
ORDER BY cents DESC;
